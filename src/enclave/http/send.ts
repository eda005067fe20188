import type { ServerResponse } from 'node:http'
import type { Answer } from './answer.ts'

/**
 * Sends an answer as its `transfer` says.
 *
 * @param resetConnection Ends the TCP connection with a reset.
 */
export function send(response: ServerResponse, answer: Answer, resetConnection: () => void): void {
  const { status, headers, body, transfer } = answer
  const bytes = Buffer.from(body as string)
  // The answer to a HEAD request may name a length without having it.
  const announced = { 'content-length': bytes.length, ...headers }
  const half = bytes.subarray(0, Math.floor(bytes.length / 2))
  if (transfer === undefined) {
    response.writeHead(status, announced).end(bytes)
  } else if (transfer === 'reset') {
    response.writeHead(status, announced).write(half, resetConnection)
  } else if (transfer === 'truncated') {
    response.writeHead(status, announced).write(half, () => response.destroy())
  } else if (transfer === 'endless') {
    response.writeHead(status, headers)
    pour(response)
  } else if (transfer !== 'silent') {
    response.writeHead(status, headers)
    drip(response, bytes, transfer.everyMilliseconds)
  }
}

function drip(response: ServerResponse, bytes: Buffer, everyMilliseconds: number): void {
  let sent = 0
  const timer = setInterval(() => {
    // White space follows the last byte: the document is complete, and the answer never ends.
    response.write(sent < bytes.length ? bytes.subarray(sent, sent + 1) : ' ')
    sent += 1
  }, everyMilliseconds)
  response.once('close', () => clearInterval(timer))
}

function pour(response: ServerResponse): void {
  const chunk = 'x'.repeat(64 * 1024)
  const fill = (): void => {
    while (!response.destroyed && response.write(chunk)) {
      // Until the socket's buffer is full: `drain` goes on from there.
    }
  }
  response.write('{"padding":"')
  response.on('drain', fill)
  fill()
}
