/** The reply of a child process to one message. */
export type Reply = { readonly value: unknown } | { readonly error: string }

/**
 * Replies to the messages of the parent process, and ends when the parent has ended in any way.
 *
 * @param respond Receives a message. Its result must survive JSON.
 */
export function respondToParent(respond: (message: unknown) => unknown): void {
  const send = (message: Reply): void => void process.send?.(message)
  process.on('disconnect', () => process.exit())
  process.on('message', (message: unknown) => {
    Promise.resolve(message)
      .then(respond)
      .then((value) => send({ value }))
      .catch((error: unknown) =>
        send({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
      )
  })
}
