import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { respondToParent } from './respond-to-parent.ts'
import { stateAt } from './state-at.ts'

/** The response to every request. */
export interface BareResponse {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

// The least work with which Node can send these bytes.
const { headers, body } = JSON.parse(process.argv[2] ?? '') as BareResponse
const server = createServer((_request, response) => {
  response.writeHead(200, headers)
  response.end(body)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://localhost:${(server.address() as AddressInfo).port}`

respondToParent(() => stateAt(url))
