import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { respondToParent } from './respond-to-parent.ts'
import { stateAt } from './state-at.ts'

// Runs `cloud-profile serve` of the package in a directory, and reports the state of the process.
const command = `${process.argv[2] ?? ''}/dist/cli/cloud-profile.cjs`
const unused = createServer().listen(0, '127.0.0.1')
await once(unused, 'listening')
const { port } = unused.address() as AddressInfo
await once(unused.close(), 'close')
const url = `http://localhost:${port}`
process.env['PORT'] = String(port)
process.argv = [process.argv[0] ?? '', command, 'serve']
createRequire(import.meta.url)(command)

respondToParent(async () => {
  while (!(await isServing())) await sleep(20)
  return stateAt(url)
})

function isServing(): Promise<boolean> {
  return fetch(`${url}/admin/host/ping`).then(
    () => true,
    () => false,
  )
}
