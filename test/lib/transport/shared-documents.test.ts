import type { PipelineResponse } from '@azure/core-rest-pipeline'
import { expect, test } from 'vitest'
import { createSharedDocuments } from '../../../src/lib/transport/shared-documents.ts'

const url = new URL('https://login.test/document')

/** Questions that the test answers. */
function heldQuestions() {
  const asked: { readonly signal: AbortSignal; readonly answer: (status: number) => void }[] = []
  const ask = (signal: AbortSignal) =>
    new Promise<PipelineResponse>((resolve, reject) => {
      asked.push({ signal, answer: (status) => resolve({ status } as PipelineResponse) })
      signal.addEventListener('abort', () => reject(new Error('ended')))
    })
  return { asked, ask }
}

test('all who ask for a document while it is on its way get the one answer, and so does who comes just after', async () => {
  const documents = createSharedDocuments()
  const { asked, ask } = heldQuestions()
  const { signal } = new AbortController()
  const all = [documents.share(url, signal, ask), documents.share(url, signal, ask)]
  asked[0]?.answer(200)
  expect((await Promise.all(all)).map(({ status }) => status)).toEqual([200, 200])
  expect(await documents.share(url, signal, ask)).toMatchObject({ status: 200 })
  expect(asked).toHaveLength(1)
})

test('the question goes on as long as somebody waits, and ends with the last', async () => {
  const documents = createSharedDocuments()
  const { asked, ask } = heldQuestions()
  const callers = [new AbortController(), new AbortController()]
  const answers = callers.map(({ signal }) => documents.share(url, signal, ask).catch(({ name }: Error) => name))
  callers[0]?.abort()
  expect(await answers[0]).toBe('AbortError')
  expect(asked[0]?.signal.aborted).toBe(false)
  callers[1]?.abort()
  expect(await answers[1]).toBe('AbortError')
  expect(asked[0]?.signal.aborted).toBe(true)
})

test('who asks after it was given up starts anew, and can give up as well', async () => {
  const documents = createSharedDocuments()
  const { asked, ask } = heldQuestions()
  const first = new AbortController()
  const given = documents.share(url, first.signal, ask).catch(({ name }: Error) => name)
  first.abort()
  await given
  const second = new AbortController()
  const again = documents.share(url, second.signal, ask).catch(({ name }: Error) => name)
  expect(asked).toHaveLength(2)
  // The end of the first question has come in by now.
  await new Promise((resolve) => setTimeout(resolve, 1))
  second.abort()
  expect(await again).toBe('AbortError')
  expect(asked[1]?.signal.aborted).toBe(true)
})
