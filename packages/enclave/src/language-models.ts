import { randomUUID } from 'node:crypto'
import { json, refusal, jsonOf, type Handler } from './http/exchange.ts'

const text = 'This is a fixed response of the enclave.'
const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }

/** OpenAI and AI services without a model, to test a program's sign-in, host and scope. Refuses any other operation by name. */
export function createLanguageModels(now: () => number): Handler {
  return (request) => {
    const body = jsonOf(request)
    const model =
      typeof body['model'] === 'string' ? body['model'] : (/deployments\/([^/]+)/.exec(request.path)?.[1] ?? '')
    const common = { id: `enclave-${randomUUID()}`, created: Math.floor(now() / 1000), model }
    const [, operation = ''] = /\/((?:chat\/)?completions|embeddings)$/.exec(request.path) ?? []
    if (request.method !== 'POST' || operation === '') {
      const message = `The AI services of the enclave do not support ${request.method} ${request.path}. They have chat/completions, completions and embeddings.`
      return refusal('ai', 501, 'NotImplemented', message)
    }
    if (operation === 'embeddings') {
      const size = Math.trunc(Math.min(Math.max(Number(body['dimensions'] ?? 1536) || 1536, 1), 4096))
      const embedding =
        body['encoding_format'] === 'base64' ? Buffer.alloc(size * 4).toString('base64') : Array<number>(size).fill(0)
      const data = [body['input']].flat().map((_, index) => ({ object: 'embedding', index, embedding }))
      return json(200, { ...common, object: 'list', data, usage })
    }
    const isChat = operation === 'chat/completions'
    const object = isChat ? 'chat.completion' : 'text_completion'
    const content = isChat ? { message: { role: 'assistant', content: text } } : { text }
    if (body['stream'] !== true)
      return json(200, { ...common, object, choices: [{ index: 0, finish_reason: 'stop', ...content }], usage })
    const delta = isChat ? { delta: { role: 'assistant', content: text } } : { text }
    const events = [delta, isChat ? { delta: {} } : { text: '' }].map((part, index) => {
      const choice = { index: 0, finish_reason: index === 0 ? null : 'stop', ...part }
      return `data: ${JSON.stringify({ ...common, object: isChat ? `${object}.chunk` : object, choices: [choice] })}\n\n`
    })
    const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' }
    return { status: 200, headers, body: `${events.join('')}data: [DONE]\n\n` }
  }
}
