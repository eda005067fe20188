import { describe, expect, test } from 'vitest'
import { renderScanGuide } from '../../../scripts/generate/render-scan-guide.ts'
import { scanExamples } from '../../../scripts/generate/scan-examples.ts'
import { ruleIds } from '../../../src/scan/finding.ts'
import { scanTreeOf } from '../../scan/scan-tree-of.ts'

describe.each(scanExamples)('$rule in $file', ({ rule, file, before, after }) => {
  test('is found before, and gone after', async () => {
    const found = await scanTreeOf({ [file]: `${before}\n` })
    expect(found.findings.map((finding) => finding.rule)).toEqual([rule])
    expect((await scanTreeOf({ [file]: `${after}\n` })).findings).toEqual([])
  })
})

test('every rule has its section with examples', () => {
  const guide = renderScanGuide()
  for (const id of ruleIds) expect(guide.split(`### ${id}:`)[1]?.split('### ')[0]).toContain('```')
})
