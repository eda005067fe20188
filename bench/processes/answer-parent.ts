/** What a child process sends back for one message. */
export type Answer = { readonly value: unknown } | { readonly error: string }

/**
 * Answers the messages of the parent process one by one, and ends when the parent is gone, however it went.
 *
 * @param answer Is given what the parent sends; its result must survive JSON.
 */
export function answerParent(answer: (message: unknown) => unknown): void {
  const send = (message: Answer): void => void process.send?.(message)
  process.on('disconnect', () => process.exit())
  process.on('message', (message: unknown) => {
    Promise.resolve(message)
      .then(answer)
      .then((value) => send({ value }))
      .catch((error: unknown) =>
        send({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
      )
  })
}
