import { execFileSync } from 'node:child_process'
import { getFips } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { EnclaveAuthMode } from '../../src/enclave/enclave.ts'
import { judgeEnd } from '../../src/cli/exit.ts'
import { withValueAt, type FieldPath } from '../../src/lib/profile/field-path.ts'
import { isObject, valueAt } from '../../src/lib/base/json.ts'
import { issueCertificate } from '../support/issue-certificate.ts'
import { useEnclave } from '../support/use-enclave.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import { runInProcess } from '../cli/run-in-process.ts'

// What a command prints when nothing can start, followed to the letter until the smoke test passes. A reader changes what the text names, and
// nothing else.

const running = useEnclave()
const temp = useTemporaryDirectory()
const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
const listeners = signals.map((signal) => process.listeners(signal))
// The command line says farewell at a signal; in this process it runs many times.
afterEach(() => {
  signals.forEach((signal, index) => {
    for (const each of process.listeners(signal))
      if (listeners[index]?.includes(each) !== true) process.off(signal, each)
  })
})

interface Printed {
  readonly code: number | undefined
  readonly text: string
}

async function smokeTest(env: Readonly<Record<string, string | undefined>>): Promise<Printed> {
  try {
    const { code, stdout, stderr } = await runInProcess(['smoke-test', '--check-token'], { env })
    return { code, text: `${stdout}\n${stderr}` }
  } catch (error) {
    const { code, message } = judgeEnd(error)
    return { code, text: message }
  }
}

interface Mistake {
  readonly what: string
  readonly mode?: EnclaveAuthMode
  /** What is wrong in the environment. */
  readonly env?: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>)
  /** The file in place of the right profile. */
  readonly file?: (right: string) => string
  /** What the operator of the cloud gives for a value or a file, beside the settings of the enclave. */
  readonly given?: Readonly<Record<string, string>>
}

const setting = (name: string, value: string): Mistake => ({ what: `${name}=${value}`, env: { [name]: value } })
const edited = (what: string, edit: (profile: Record<string, unknown>) => unknown): Mistake => ({
  what,
  file: (right) => JSON.stringify(edit(JSON.parse(right) as Record<string, unknown>)),
})
const certificate = (what: string, env: () => Readonly<Record<string, string>>, given?: Mistake['given']): Mistake => ({
  what,
  mode: 'clientCertificate',
  env,
  ...(given === undefined ? {} : { given }),
})

const chain = () => running.cloud.clientCertificatePem.replace(/-----BEGIN PRIVATE KEY[\s\S]*/, '')
const key = () => running.cloud.clientCertificatePem.slice(chain().length)
const inFile = (name: string, text: string) => ({ PLATFORM_CLIENT_CERTIFICATE_PATH: temp.write(name, text) })
function encrypted(): string {
  const options = ['pkcs8', '-topk8', '-v2', 'aes-256-cbc', '-passout', 'pass:right']
  return chain() + execFileSync('openssl', options, { input: key(), encoding: 'utf8' })
}

const mistakes: readonly Mistake[] = [
  setting('PORT', '99999'),
  setting('AUTH_MODE', 'secret'),
  setting('HTTP_AUTH_LEVEL', 'none'),
  setting('PLATFORM_LOG_LEVEL', 'loud'),
  setting('PLATFORM_TOKEN_TIMEOUT_MS', '5'),
  setting('SMOKE_TEST_SCHEDULE', '* * *'),
  setting('SMOKE_TEST_SCHEDULE', '0 0 0 30,31 2 *'),
  setting('SMOKE_TEST_CHECK_TOKEN', 'yes'),
  setting('PLATFORM_STORAGE_ACCOUNT', 'Bad_Name!'),
  setting('PLATFORM_KEY_VAULT', 'a.b'),
  setting('PLATFORM_ALLOWED_TOKEN_HOSTS', 'https://x/y'),
  setting('PLATFORM_LISTEN_ADDRESS', 'nowhere/'),
  setting('PLATFORM_SERVE_METADATA', 'yes'),
  // Under npm run test:fips it is no mistake.
  ...(getFips() === 1 ? [] : [setting('PLATFORM_REQUIRE_FIPS', 'true')]),
  setting('PLATFORM_TENANT_ID', 'a/b'),
  setting('PLATFORM_CLIENT_SECRET', '$(SECRET)'),
  setting('PLATFORM_CLIENT_SECRET', '@Microsoft.KeyVault(SecretUri=https://v/secrets/s)'),
  setting('PLATFORM_CLIENT_SECRET_PATH', '/nowhere'),
  setting('MSAL_FORCE_REGION', 'moon'),
  setting('AZURE_REGIONAL_AUTHORITY_NAME', 'moon'),
  setting('NODE_TLS_REJECT_UNAUTHORIZED', '0'),
  { what: 'two mistakes', env: { PORT: '-1', PLATFORM_LOG_LEVEL: 'loud' } },
  { what: 'an unknown cloud', env: { CUSTOM_CLOUD_PROFILE_PATH: '', PLATFORM_CLOUD: 'nope' } },
  setting('CUSTOM_CLOUD_PROFILE_PATH', '/nowhere.json'),
  setting('CUSTOM_CLOUD_PROFILE_PATH', '/'),
  { what: 'an empty file', file: () => '' },
  { what: 'a list in the file', file: () => '[]' },
  { what: 'half a file', file: (right) => right.slice(0, 100) },
  { what: 'a comment in the file', file: (right) => right.replace('{', '{\n  // the enclave') },
  { what: 'a comma before the bracket', file: (right) => right.replace(/\s*\}\s*$/, ',\n}\n') },
  edited('no service audiences', (profile) => ({ ...profile, serviceAudiences: undefined })),
  edited('no suffixes', (profile) => ({ ...profile, serviceDnsSuffixes: undefined })),
  edited('one suffix only', (profile) => ({ ...profile, serviceDnsSuffixes: { storage: '.blob.core.enclave.test' } })),
  edited('no final slash', (profile) => ({ ...profile, authorityHost: String(profile['authorityHost']).slice(0, -1) })),
  edited('plain http', (profile) => ({ ...profile, authorityHost: 'http://login.enclave.test/' })),
  edited('an environment of nowhere', (profile) => ({ ...profile, environment: 'moon' })),
  edited('a number as name', (profile) => ({ ...profile, name: 7 })),
  certificate('no certificate file', () => ({ PLATFORM_CLIENT_CERTIFICATE_PATH: '/nowhere.pem' })),
  certificate('a certificate in DER', () => inFile('der', '0\u0082binary')),
  certificate('a certificate without a key', () => inFile('chain', chain())),
  certificate('the key of another certificate', () =>
    inFile('mixed', chain() + execFileSync('openssl', ['genrsa', '2048'], { encoding: 'utf8', stdio: 'pipe' })),
  ),
  certificate(
    'a wrong password',
    () => ({ ...inFile('encrypted', encrypted()), PLATFORM_CLIENT_CERTIFICATE_PASSWORD: 'wrong' }),
    { PLATFORM_CLIENT_CERTIFICATE_PASSWORD: 'right' },
  ),
  certificate('no password', () => inFile('locked', encrypted()), { PLATFORM_CLIENT_CERTIFICATE_PASSWORD: 'right' }),
]

/** The follower: each variable that the text names gets the value of the cloud or is unset, each field of the file likewise. */
function follow(
  text: string,
  env: Record<string, string | undefined>,
  right: {
    readonly env: Readonly<Record<string, string | undefined>>
    readonly profile: string
    readonly file: string
  },
): string[] {
  const changed: string[] = []
  const named = [...new Set(text.match(/\b(?:PLATFORM|AZURE|NODE|CUSTOM|MSAL|SMOKE|HTTP|AUTH)_[A-Z_]+\b|\bPORT\b/g))]
  for (const name of named) {
    if (env[name] === right.env[name]) continue
    env[name] = right.env[name]
    changed.push(name)
  }
  if (env['CUSTOM_CLOUD_PROFILE_PATH'] === right.file && text.includes(right.file)) {
    const now = readFileSync(right.file, 'utf8')
    const written = repaired(text, now, right.profile)
    if (written !== now) {
      writeFileSync(right.file, written)
      changed.push('the file')
    }
  }
  return changed
}

/** Follows the reason for JSON that cannot be read, or corrects the fields that the text names. */
function repaired(text: string, now: string, right: string): string {
  if (/remove the comment/.test(text)) return now.replace(/^\s*\/\/.*$/m, '')
  if (/remove the comma before the bracket/.test(text)) return now.replace(/,(\s*[\]}])/, '$1')
  let profile: unknown
  try {
    profile = JSON.parse(now)
  } catch {
    return right
  }
  if (!isObject(profile)) return right
  const values: unknown = JSON.parse(right)
  for (const [, path = ''] of text.matchAll(/(?:^|[\s`])([a-z]\w*(?:\.\w+)?)`?: /gm)) {
    const value = valueAt(values, path)
    if (value !== undefined) profile = withValueAt(profile, path as FieldPath, value as string)
  }
  return JSON.stringify(profile)
}

describe('What the smoke test prints, followed to the letter,', () => {
  test.each(mistakes)('repairs $what', async ({ mode = 'clientSecret', env: wrong = {}, file, given = {} }) => {
    const { cloud, files } = running
    const known = cloud.environment(mode, files)
    const profile = readFileSync(String(known['CUSTOM_CLOUD_PROFILE_PATH']), 'utf8')
    const path = join(temp.path, 'profile.json')
    writeFileSync(path, file?.(profile) ?? profile)
    const right = { env: { ...known, CUSTOM_CLOUD_PROFILE_PATH: path, ...given }, profile, file: path }
    const env = { ...known, CUSTOM_CLOUD_PROFILE_PATH: path, ...(typeof wrong === 'function' ? wrong() : wrong) }
    const seen: string[] = []
    let printed = await smokeTest(env)
    expect(printed.code).not.toBe(0)
    expect(printed.text).not.toMatch(/^\s+at /m)
    while (printed.code !== 0 && seen.length < 3) {
      const changed = follow(printed.text, env, right)
      seen.push(`${printed.text.trim()} -> ${changed.join()}`)
      if (changed.length === 0) break
      printed = await smokeTest(env)
    }
    expect({ code: printed.code, seen }).toMatchObject({ code: 0 })
    // One reading is enough: every problem is named at once.
    expect(seen).toHaveLength(1)
  })

  test('an expired certificate is named as such', async () => {
    const day = 86_400_000
    const validTo = new Date(Date.now() - day)
    const { certificate: pem, key: own } = await issueCertificate('expired', {
      validFrom: new Date(0),
      validTo,
      type: 'RSA',
    })
    const env = { ...running.cloud.environment('clientCertificate', running.files), ...inFile('expired', pem + own) }
    const { code, text } = await smokeTest(env)
    expect(code).toBe(1)
    expect(text.replaceAll(/\s+/g, ' ')).toMatch(
      /CLIENT_ASSERTION_REJECTED: .* the certificate expired at .* Fix: Replace the certificate in the file of PLATFORM_CLIENT_CERTIFICATE_PATH/,
    )
  })
})
