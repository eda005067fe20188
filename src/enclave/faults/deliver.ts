import type { ServerResponse } from 'node:http'
import { type Answer, html, json } from '../http/route.ts'
import type { Fault, FaultKindIn, FaultOf } from './fault.ts'

/** The inputs for sending an answer or its replacement. */
export interface Delivery {
  readonly response: ServerResponse
  /** Computes the answer. Not called if the fault replaces it, so that the request has no effect. */
  readonly answer: () => Answer | Promise<Answer>
  /** Where `redirect` points. */
  readonly redirectTarget: string
  /** Ends the TCP connection with a reset. */
  readonly resetConnection: () => void
}

type AnswerKind = FaultKindIn<'answer'>
type DamageKind = 'reset' | 'invalid-json' | 'truncated' | 'not-utf8' | 'byte-order-mark' | 'slow-drip' | 'huge-body'
type ReplacementKind = Exclude<AnswerKind, DamageKind>
type Table<Kinds extends AnswerKind, Arguments extends unknown[]> = {
  [K in Kinds]: (...rest: [...Arguments, FaultOf<K>]) => void
}

const replacements: Table<ReplacementKind, [Delivery]> = {
  silent: () => {},
  'not-found': ({ response }) => send(response, html(404, '<!doctype html><title>404</title><h1>Not found</h1>')),
  html: ({ response }) =>
    send(response, html(200, '<!doctype html><title>Wi-Fi</title><h1>Sign in to this network</h1>')),
  empty: ({ response }) => send(response, { status: 200, headers: {}, body: '' }),
  redirect: ({ response, redirectTarget }) =>
    send(response, { status: 302, headers: { location: redirectTarget }, body: '' }),
  'status-429': ({ response }, { retryAfterSeconds = 3600 }) =>
    send(response, unavailable(429, { 'retry-after': String(retryAfterSeconds) })),
  'status-500': ({ response }) => send(response, unavailable(500)),
  'status-503': ({ response }) => send(response, unavailable(503)),
}

const damages: Table<DamageKind, [Delivery, Answer]> = {
  reset: ({ response, resetConnection }, answer) => {
    response.writeHead(answer.status, { ...answer.headers, 'content-length': Buffer.byteLength(answer.body) })
    response.write(firstHalf(answer.body), resetConnection)
  },
  'invalid-json': ({ response }, answer) => send(response, { ...answer, body: firstHalf(answer.body) }),
  truncated: ({ response }, answer) => {
    response.writeHead(answer.status, { ...answer.headers, 'content-length': Buffer.byteLength(answer.body) })
    response.write(firstHalf(answer.body), () => response.destroy())
  },
  'not-utf8': ({ response }, answer) => {
    response.writeHead(answer.status, answer.headers)
    response.end(Buffer.from(String(answer.body), 'utf16le'))
  },
  'byte-order-mark': ({ response }, answer) => send(response, { ...answer, body: `\uFEFF${String(answer.body)}` }),
  'slow-drip': ({ response }, answer, { everyMilliseconds = 50 }) => drip(response, answer, everyMilliseconds),
  'huge-body': ({ response }, answer) => pour(response, answer),
}

/** Sends the answer, changed or replaced by the fault. */
export async function deliver(delivery: Delivery, fault: Fault | undefined): Promise<void> {
  const kind = fault?.kind
  if (kind === undefined) send(delivery.response, await delivery.answer())
  else if (kind in replacements) call(replacements, kind, delivery, fault)
  else call(damages, kind, delivery, await delivery.answer(), fault)
}

/** The type system cannot prove that the row belongs to this fault. */
function call(table: object, kind: string, ...rest: readonly unknown[]): void {
  const row = (table as Record<string, ((...rest: readonly unknown[]) => void) | undefined>)[kind]
  if (row === undefined) throw new TypeError(`The fault ${kind} does not belong to the answer layer.`)
  row(...rest)
}

function send(response: ServerResponse, answer: Answer): void {
  response.writeHead(answer.status, { ...answer.headers, 'content-length': Buffer.byteLength(answer.body) })
  response.end(answer.body)
}

function drip(response: ServerResponse, answer: Answer, everyMilliseconds: number): void {
  const bytes = Buffer.from(answer.body as string)
  let sent = 0
  response.writeHead(answer.status, answer.headers)
  const timer = setInterval(() => {
    // White space follows the last byte: the document is complete, and the answer never ends.
    response.write(sent < bytes.length ? bytes.subarray(sent, sent + 1) : ' ')
    sent += 1
  }, everyMilliseconds)
  response.once('close', () => clearInterval(timer))
}

function pour(response: ServerResponse, answer: Answer): void {
  const chunk = 'x'.repeat(64 * 1024)
  const fill = (): void => {
    while (!response.destroyed && response.write(chunk)) {
      // Until the socket's buffer is full: `drain` goes on from there.
    }
  }
  response.writeHead(answer.status, answer.headers)
  response.write('{"padding":"')
  response.on('drain', fill)
  fill()
}

function unavailable(status: number, headers: Record<string, string> = {}): Answer {
  return json(
    status,
    { error: 'temporarily_unavailable', error_description: `The enclave answers ${status}.` },
    headers,
  )
}

function firstHalf(body: string | Buffer): string | Buffer {
  const half = Math.floor(body.length / 2)
  return typeof body === 'string' ? body.slice(0, half) : body.subarray(0, half)
}
