import type { AccessToken } from '../../../src/lib/auth/token-credential.ts'
import { describe, expect, test } from 'vitest'
import { createTokenCache, type StartAttempt } from '../../../src/lib/auth/token-cache.ts'
import { ServiceError } from '../../../src/lib/errors.ts'

const start = Date.parse('2026-11-21T00:00:00Z')
const hour = 3_600_000

/** A cache with a separate clock and attempts that the test ends. */
function createSource() {
  let time = start
  let skew = 0
  let suspended = 0
  const attempts: (PromiseWithResolvers<AccessToken> & Pick<Parameters<StartAttempt>[0], 'signal' | 'isRenewal'>)[] = []
  const prompts: ((userCode: string) => void)[] = []
  const cache = createTokenCache({ wall: () => time + skew, now: () => time - suspended, random: () => 0 })
  const acquire: StartAttempt = ({ onPrompt, signal, isRenewal }) => {
    prompts.push((userCode) =>
      onPrompt({ userCode, verificationUri: 'https://x.test/', expiresOnTimestamp: time + 900_000 }),
    )
    const attempt = { ...Promise.withResolvers<AccessToken>(), signal, isRenewal }
    attempts.push(attempt)
    return attempt.promise
  }
  const get = async (options?: { readonly signal?: AbortSignal; readonly claims?: string }) =>
    (await cache.token('scope', acquire, options)).token.token
  return {
    current: (key = 'scope') => cache.outcome(key, acquire),
    last: () => cache.last('scope'),
    limitReuse: () => cache.limitReuse(),
    get,
    /** Gets a first token. */
    fill: async (found: AccessToken) => {
      const first = get()
      attempts[0]?.resolve(found)
      await first
    },
    attempts,
    prompts,
    advance: (ms: number) => (time += ms),
    setBack: (ms: number) => (skew -= ms),
    /** The monotonic clock stands still. */
    suspend: (ms: number) => {
      time += ms
      suspended += ms
    },
  }
}

const token = (lifetimeMs: number, refreshAfterMs?: number, text = 't'): AccessToken => ({
  token: text,
  expiresOnTimestamp: start + lifetimeMs,
  ...(refreshAfterMs === undefined ? {} : { refreshAfterTimestamp: start + refreshAfterMs }),
})

describe('a token for applications', () => {
  const refused = new ServiceError('AUTHORITY_REFUSED', 'refused')

  test('callers with and without a signal share one attempt, and a signal ends the waiting of its caller alone', async () => {
    const { get, attempts } = createSource()
    const controller = new AbortController()
    const [canceled, ...asked] = [get({ signal: controller.signal }), get(), get()]
    const reason = new Error('the client hung up')
    controller.abort(reason)
    await expect(canceled).rejects.toMatchObject({ code: 'TOKEN_CANCELLED', cause: reason })
    attempts[0]?.resolve(token(hour))
    expect(await Promise.all(asked)).toEqual(['t', 't'])
    expect(attempts).toHaveLength(1)
  })

  test.each([false, true])(
    'an attempt (sign-in: %s) ends with its last caller, the next is new',
    async (isPrompted) => {
      const { get, attempts, prompts } = createSource()
      const callers = [new AbortController(), new AbortController()]
      const asked = callers.map(({ signal }) => get({ signal }))
      if (isPrompted) prompts[0]?.('ABCD')
      for (const [index, isEnded] of [false, true].entries()) {
        callers[index]?.abort()
        await expect(asked[index]).rejects.toMatchObject({ code: 'TOKEN_CANCELLED' })
        expect(attempts[0]?.signal.aborted).toBe(isEnded)
      }
      const next = get()
      attempts[0]?.reject(new ServiceError('TOKEN_TIMEOUT', 'late'))
      attempts[1]?.resolve(token(hour))
      expect(await next).toBe('t')
    },
  )

  test('a caller who comes 2 s later starts an attempt with all of its time', async () => {
    const { get, attempts, advance } = createSource()
    const first = get()
    advance(1999)
    const second = get()
    advance(1)
    const third = get()
    expect(attempts).toHaveLength(2)
    attempts[0]?.reject(refused)
    await expect(Promise.all([first, second])).rejects.toMatchObject({ code: 'AUTHORITY_REFUSED' })
    attempts[1]?.resolve(token(hour))
    expect(await third).toBe('t')
  })

  test('a renewal waits for nobody and nobody for it: past the expiry a caller starts an attempt', async () => {
    const { get, fill, attempts, advance } = createSource()
    await fill(token(hour))
    advance(hour - 1)
    expect(await get()).toBe('t')
    advance(1)
    const late = get()
    expect(attempts.map(({ isRenewal }) => isRenewal)).toEqual([false, true, false])
    attempts[2]?.resolve(token(2 * hour, undefined, 'new'))
    expect(await late).toBe('new')
  })

  test.each(['suspend', 'advance'] as const)('expires by either clock (%s)', async (pass) => {
    const { get, fill, attempts, ...clock } = createSource()
    await fill(token(hour))
    clock[pass](hour - 1)
    expect(await get()).toBe('t')
    clock[pass](1)
    void get().catch(() => {})
    expect(attempts.filter(({ isRenewal }) => !isRenewal)).toHaveLength(2)
  })

  test('past its refresh point by the wall clock it is renewed after a suspension, and a failure is forgotten', async () => {
    const { current, get, fill, attempts, suspend } = createSource()
    await fill(token(hour, hour / 2))
    suspend(hour / 2)
    await get()
    expect(attempts).toHaveLength(2)
    const failed = current('other')
    attempts[2]?.reject(refused)
    await failed
    suspend(19_999)
    expect(await current('other')).toMatchObject({ status: 'failed', cached: true })
    suspend(1)
    void current('other')
    expect(attempts).toHaveLength(4)
  })

  test('past its refresh point it is returned while one renewal runs in the background', async () => {
    const { get, fill, attempts, advance } = createSource()
    await fill(token(hour, 600_000, 'old'))
    advance(600_000)
    expect(await Promise.all([get(), get()])).toEqual(['old', 'old'])
    expect(attempts).toHaveLength(2)
    attempts[1]?.resolve(token(2 * hour, undefined, 'new'))
    await expect.poll(() => get()).toBe('new')
  })

  test('it survives an outage until it expires, with one attempt in 20 s, and then the failure is reported', async () => {
    const { get, fill, attempts, advance } = createSource()
    await fill(token(hour))
    advance(hour - 40_000)
    for (const [count, ms] of [20_000, 19_999].entries()) {
      expect(await get()).toBe('t')
      attempts.at(-1)?.reject(refused)
      await expect.poll(() => attempts.length).toBe(count + 2)
      expect(await get()).toBe('t')
      advance(ms)
    }
    advance(1)
    const late = get()
    attempts.at(-1)?.reject(refused)
    await expect(late).rejects.toBe(refused)
  })

  test('a failure is not reused', async () => {
    const { get, attempts } = createSource()
    for (const count of [0, 1]) {
      const asked = get()
      attempts[count]?.reject(refused)
      await expect(asked).rejects.toBe(refused)
    }
    expect(attempts).toHaveLength(2)
  })

  test('claims need a new token, which replaces the cached one', async () => {
    const { get, fill, attempts } = createSource()
    await fill(token(hour, undefined, 'revoked'))
    const asked = [get({ claims: 'c' }), get({ claims: 'c' })]
    attempts[1]?.resolve(token(hour, undefined, 'new'))
    expect(await Promise.all([...asked, get()])).toEqual(['new', 'new', 'revoked'])
    expect(await get()).toBe('new')
    expect(attempts).toHaveLength(2)
  })
})

describe('reuse', () => {
  /** Whether the outcome is a cached one until then, and the attempts that the next call makes it. */
  const after = async (ms: number, { current, attempts, advance }: ReturnType<typeof createSource>) => {
    advance(ms - 1)
    const { cached } = await current()
    advance(1)
    void current()
    return [cached, attempts.length]
  }

  test('a token that is in doubt is reused for 20 s, not to its end', async () => {
    const source = createSource()
    await source.fill(token(hour))
    source.limitReuse()
    expect(await after(20_000, source)).toEqual([true, 2])
  })

  test.each([
    ['a token is reused until five minutes before its end', token(hour), hour - 300_000],
    ['a token is reused until the refresh point the authority named', token(hour, 600_000), 600_000],
    ['a token too short-lived to be cached is reused for 20 s', token(60_000), 20_000],
    ['a token that lives 5 s is reused for half of that', token(5000), 2500],
    ['a refresh point after the end counts as the end', token(hour, 2 * hour), hour],
  ])('%s', async (_claim, acquired, untilMs) => {
    const source = createSource()
    await source.fill(acquired)
    expect(await after(untilMs, source)).toEqual([true, 2])
  })

  test.each([0, -hour])('a failure is reused for 20 s, also when the clock is set by %i ms', async (ms) => {
    const source = createSource()
    const first = source.current()
    source.attempts[0]?.reject(new ServiceError('AUTHORITY_REFUSED', 'refused'))
    expect(await first).toMatchObject({ status: 'failed', cached: false, error: { code: 'AUTHORITY_REFUSED' } })
    source.setBack(-ms)
    expect(await after(20_000, source)).toEqual([true, 2])
  })

  test('an error that is not ours becomes one that says nothing of its text', async () => {
    const { current, attempts } = createSource()
    const first = current()
    attempts[0]?.reject(new Error('the secret is hunter2'))
    const outcome = await first
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'UNEXPECTED', message: /^(?!.*hunter2)/ } })
  })
})

test('a sign-in by a person that is declined is reported, and a new one starts only after 20 s', async () => {
  const { current, last, attempts, prompts, advance } = createSource()
  const first = current()
  prompts[0]?.('ABCD')
  await first
  attempts[0]?.reject(new ServiceError('DEVICE_CODE_DECLINED', 'declined'))
  await expect.poll(() => last()).toMatchObject({ status: 'failed', error: { code: 'DEVICE_CODE_DECLINED' } })
  await current()
  expect(attempts).toHaveLength(1)
  advance(20_000)
  const second = current()
  prompts[1]?.('EFGH')
  expect(await second).toMatchObject({ status: 'pending', prompt: { userCode: 'EFGH' } })
})
