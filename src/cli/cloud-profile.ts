import { resolve } from 'node:path'
import { runCommandLine } from './command-line.ts'
import { appDirectory } from './app-directory.ts'
import { runProcess } from './run-process.ts'

// npm starts scripts in the folder of package.json. Paths are relative to the folder where the person stands.
const { INIT_CWD: folder, npm_lifecycle_event: script } = process.env
if (folder !== undefined && script !== undefined && process.cwd() === resolve(appDirectory)) process.chdir(folder)

// The command line of the npm scripts and of the package.
void runProcess((terminal) => runCommandLine(process.argv.slice(2), terminal))
