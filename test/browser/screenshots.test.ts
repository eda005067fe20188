import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { useProcesses } from '../support/processes.ts'
import { commandLine, inBuiltProject } from '../support/start-command.ts'
import { pictures, wordsOf } from './pictures.ts'

const { start } = useProcesses()

test.each(Object.entries(pictures))(
  'the picture of the state %s shows the words of the page (if not: node test/browser/screenshots.ts)',
  async (state, options) => {
    const demo = start([commandLine, 'demo', ...options], inBuiltProject())
    const [, url = ''] = await demo.printed(/^Server running on (\S+)$/m)
    const words = wordsOf(await (await fetch(url)).text())
    expect(words.split('\n').length).toBeGreaterThan(10)
    expect(words).toBe(readFileSync(new URL(`../../docs/images/page-${state}.txt`, import.meta.url), 'utf8'))
    demo.signal('SIGTERM')
    await demo.ended
  },
)
