import { runCommandLine } from './command-line.ts'
import { runProcess } from './run-process.ts'

// The command line of the npm scripts and of the package.
void runProcess((terminal) => runCommandLine(process.argv.slice(2), terminal))
