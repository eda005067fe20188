import { writeFile } from 'node:fs/promises'
import { createProfileJsonSchema } from '../lib/profile/json-schema.ts'
import { exitCodes, runCommand } from './run-command.ts'

// `npm run generate`: writes the files that are made from code. A test fails when they drift.
await runCommand(async () => {
  const schema = `${JSON.stringify(createProfileJsonSchema(), undefined, 2)}\n`
  await writeFile(new URL('../../cloud-profiles/schema.json', import.meta.url), schema)
  return exitCodes.passed
})
