// A program for Windows, under whatever name: it notes beside itself how it was started, and prints the file `answer.json` beside it. Without
// that file it hangs.
const { appendFileSync, existsSync, readFileSync } = require('node:fs')
const path = require('node:path')

const folder = path.dirname(process.execPath)
const started = { program: process.execPath, args: process.argv.slice(2), folder: process.cwd() }
appendFileSync(path.join(folder, 'started.txt'), `${JSON.stringify(started)}\n`)
const answer = path.join(folder, 'answer.json')
if (existsSync(answer)) process.stdout.write(readFileSync(answer, 'utf8'))
else setInterval(() => undefined, 1000)
