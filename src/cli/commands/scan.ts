import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram } from '../../lib/base/find-program.ts'
import { appDirectory } from '../app-directory.ts'
import { defineCommand } from '../command.ts'
import { exitCodes, UsageError } from '../exit.ts'

/** Where `cloud-profile-scan` is: in a checkout, or beside this package in the same node_modules. */
const files = ['packages/scan/src/cloud-profile-scan.ts', '../cloud-profile-scan/cloud-profile-scan.mjs']

const install =
  'cloud-profile-scan is not installed. Install it from the verified release: npm install --offline ./cloud-profile-scan-VERSION.tgz'

export const command = defineCommand({
  description:
    'Finds code that binds an application to one cloud, and writes the fix. Runs cloud-profile-scan, a separate package of the release, with the same arguments: cloud-profile scan --help lists them where it is installed.',
  options: {},
  passesArguments: true,
  async run({ positionals }, { env }) {
    const file = files.map((each) => join(appDirectory, each)).find((each) => existsSync(each))
    const program = file === undefined ? findProgram('cloud-profile-scan', env) : process.execPath
    if (program === undefined) throw new UsageError(install)
    const child = spawn(program, [...(file === undefined ? [] : [file]), ...positionals], { stdio: 'inherit', env })
    const [code] = (await once(child, 'exit')) as [number | null]
    return code ?? exitCodes.fault
  },
})
