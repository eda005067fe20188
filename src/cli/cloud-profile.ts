import { resolve } from 'node:path'
import { runCommandLine } from './command-line.ts'
import { appDirectory } from './app-directory.ts'
import { runProcess } from './run-process.ts'

// npm starts scripts in the folder of package.json, but a person means paths from the folder of the call.
const { INIT_CWD: folder, npm_lifecycle_event: script } = process.env
if (folder !== undefined && script !== undefined && process.cwd() === resolve(appDirectory)) process.chdir(folder)

void runProcess((terminal) => runCommandLine(process.argv.slice(2), terminal))
