import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerParent } from './answer-parent.ts'
import { stateAt } from './state-at.ts'

// Runs `cloud-profile serve` of the package in the given directory, and tells on request how the process stands.
const command = `${process.argv[2] ?? ''}/dist/cli/cloud-profile.cjs`
const unused = createServer().listen(0, '127.0.0.1')
await once(unused, 'listening')
const { port } = unused.address() as AddressInfo
await once(unused.close(), 'close')
const url = `http://localhost:${port}`
process.env['PORT'] = String(port)
process.argv = [process.argv[0] ?? '', command, 'serve']
createRequire(import.meta.url)(command)

answerParent(async () => {
  while (!(await answers())) await sleep(20)
  return stateAt(url)
})

function answers(): Promise<boolean> {
  return fetch(`${url}/admin/host/ping`).then(
    () => true,
    () => false,
  )
}
