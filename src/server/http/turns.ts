/** Lets work begin without holding up the event loop. */
export interface Turns {
  /** `undefined` if the work may begin at once, else when it may. */
  next(): Promise<void> | undefined
  /** A connection was accepted. */
  accepted(): void
}

/** Milliseconds of work in one turn of the event loop. */
const slice = 5
/** Turns in a row that accept a connection and begin no work. */
const mostPassed = 8

/**
 * Work begins at once while a turn of the event loop is young. Further requests wait in a queue and begin one by
 * one, each in a separate turn. Node accepts one connection in a turn, and a probe waits for all who came before it, so that a turn
 * which accepts one begins no work, up to eight times in a row.
 */
export function createTurns(): Turns {
  const waiting: (() => void)[] = []
  let turnBegan: number | undefined
  let hasAccepted = false
  let passed = 0

  function endTurn(): void {
    turnBegan = undefined
    if (waiting.length === 0) return
    turnBegan = performance.now()
    setImmediate(endTurn)
    const mayPass = hasAccepted && passed < mostPassed
    hasAccepted = false
    passed = mayPass ? passed + 1 : 0
    if (!mayPass) waiting.shift()?.()
  }

  return {
    accepted() {
      hasAccepted = true
    },
    next() {
      if (turnBegan === undefined) {
        turnBegan = performance.now()
        setImmediate(endTurn)
        return undefined
      }
      if (waiting.length === 0 && performance.now() - turnBegan <= slice) return undefined
      return new Promise((resolve) => waiting.push(resolve))
    },
  }
}
