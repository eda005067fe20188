import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { ReceivedRequest } from '../any-cloud.ts'
import { planted } from '../egress/answers.ts'
import { modes } from '../egress/subjects.ts'
import { useEchoCloud } from './echo-cloud.ts'
import { echoes } from './echoes.ts'

// The other side sends what it was sent back to us, in every place where an answer can hold a text.
const cloud = useEchoCloud()
const names = Object.keys(echoes)
afterEach(() => {
  vi.unstubAllEnvs()
})

const variablesOf = (label: string) => modes.find((mode) => mode.label === label)?.variables(cloud().files) ?? {}

describe('a login authority that sends the credential back', () => {
  const labels = ['clientSecret', 'clientCertificate', 'usernamePassword', 'deviceCode', 'workloadIdentity'] as const
  const rows = labels.flatMap((label) => names.map((name) => [name, label] as const))
  const isTokenRequest = ({ method, path }: ReceivedRequest) => method === 'POST' && /\/token(\?|$)/.test(path)

  test.each(rows)('in %s: no part of a %s is shown', async (name, label) => {
    const { echoed, leaks } = await cloud().observe({
      variables: variablesOf(label),
      echo: { name, of: isTokenRequest },
    })
    expect(echoed).toBeGreaterThan(0)
    expect(leaks).toEqual([])
  })
})

describe('a resource manager that sends the token back', () => {
  test.each(names)('in %s: no part of it is shown', async (name) => {
    const hasToken = ({ headers }: ReceivedRequest) => headers.authorization !== undefined
    const { token, echoed, leaks } = await cloud().observe({
      variables: variablesOf('clientSecret'),
      echo: { name, of: hasToken },
    })
    expect({ token, echoed: echoed > 0 }).toEqual({ token: 'acquired', echoed: true })
    expect(leaks).toEqual([])
  })
})

describe('an identity endpoint that sends its header back', () => {
  // A good answer last: the library keeps the token for as long as the process lives.
  test.each(names)('in %s: no part of it is shown', async (name) => {
    const variables = {
      AUTH_MODE: 'managedIdentity',
      IDENTITY_ENDPOINT: `${cloud().plainOrigin}msi/token`,
      IDENTITY_HEADER: planted.identityHeader,
    }
    for (const [variable, value] of Object.entries(variables)) vi.stubEnv(variable, value)
    const isForIdentity = ({ path }: ReceivedRequest) => path.startsWith('/msi/token')
    const { echoed, leaks } = await cloud().observe({ variables, echo: { name, of: isForIdentity } })
    expect(echoed).toBeGreaterThan(0)
    expect(leaks).toEqual([])
  })
})

describe('a command-line tool that prints its token', () => {
  const token = `h.e30.${planted.accessTokenSignature}`
  const behaviors: readonly (readonly [string, string])[] = [
    ['on stderr and fails', `echo "ERROR: AADSTS70043: ${token}" >&2; exit 1`],
    ['on stdout and fails', `echo '{"accessToken":"${token}"}'; exit 2`],
    ['without saying when it ends', `echo '{"accessToken":"${token}"}'`],
    ['among other words', `echo 'WARNING: ${token}'`],
    [
      'on stderr beside a good answer',
      `echo '${token}' >&2; echo '{"accessToken":"${token}","expires_on":4102444800}'`,
    ],
  ]

  test.each(behaviors)('%s: no part of it is shown', async (_, script) => {
    const directory = join(cloud().files.toolDirectory, 'talkative')
    mkdirSync(directory, { recursive: true })
    writeFileSync(join(directory, 'az'), `#!/bin/sh\n${script}\n`)
    chmodSync(join(directory, 'az'), 0o755)
    const variables = { AUTH_MODE: 'platformCli', PATH: `${directory}:/usr/bin:/bin` }
    const { token: outcome, leaks } = await cloud().observe({ variables })
    expect(outcome).toMatch(/^(acquired|CLI_FAILED)$/)
    expect(leaks).toEqual([])
  })
})
