import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerParent } from './answer-parent.ts'
import { stateAt } from './state-at.ts'

/** What the server answers to every request. */
export interface BareAnswer {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

// The least that Node can do to send these bytes.
const { headers, body } = JSON.parse(process.argv[2] ?? '') as BareAnswer
const server = createServer((_request, response) => {
  response.writeHead(200, headers)
  response.end(body)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://localhost:${(server.address() as AddressInfo).port}`

answerParent(() => stateAt(url))
