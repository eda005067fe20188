import { authModes } from '../../../src/lib/settings/setting-table.ts'
import { builtInProfileNames } from '../../../src/lib/clouds/known-clouds.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { startAnyCloud } from '../any-cloud.ts'
import { prepareFiles } from './prepare.ts'
import { type PlantedSecret } from './answers.ts'
import { runMode, type EgressRow } from './run-mode.ts'
import { modes, profiles, type ModeSubject, type ProfileSubject } from './subjects.ts'

const subjects = modes.flatMap((mode) =>
  profiles
    .filter(({ label }) => mode.profiles?.includes(label) !== false)
    .map((profile) => [`${profile.label} under ${mode.label}`, { mode, profile }] as const),
)
const contacting = subjects.filter(([, { profile }]) => profile.hosts !== undefined)
const placeholders = subjects.filter(([, { profile }]) => profile.hosts === undefined)

test('all modes and all built-in profiles are among the subjects', () => {
  const files = { federatedTokenPath: '', certificatePath: '', toolDirectory: '' }
  expect(new Set(modes.map((mode) => mode.variables(files)['AUTH_MODE']))).toEqual(new Set(authModes))
  expect(profiles.map(({ label }) => label)).toEqual(expect.arrayContaining([...builtInProfileNames]))
})

// The process reports each lookup and connection, and nothing leaves this machine.
describe('a watched process', () => {
  const directory = useTemporaryDirectory()
  const rows: EgressRow[] = []
  beforeAll(async () => {
    const { ca, files } = await prepareFiles(directory)
    const waiting = [...modes]
    const work = async () => {
      const cloud = await startAnyCloud(ca)
      for (let mode = waiting.shift(); mode !== undefined; mode = waiting.shift())
        rows.push(...(await runMode(mode, files, cloud)))
      cloud.close()
    }
    await Promise.all([work(), work()])
  })

  const rowsOf = (mode: ModeSubject, profile: ProfileSubject) => {
    const found = rows.filter((row) => row.mode === mode.label && row.profile === profile.label)
    expect(found).not.toEqual([])
    return found
  }

  describe('with hosts that answer as they should', () => {
    test.each(contacting)('%s gets a token and contacts the hosts of the profile only', (_, { mode, profile }) => {
      const row = rowsOf(mode, profile).find(({ course }) => course === 'honest')
      expect(row).toMatchObject({ token: 'acquired' })
      expect(row && contactedHosts(row)).toEqual(namedHosts(profile, mode))
    })

    test.each(placeholders)('%s looks up no name and contacts no host', (_, { mode, profile }) => {
      for (const row of rowsOf(mode, profile)) {
        expect(row).toMatchObject({ token: 'PLACEHOLDER_PROFILE', contacts: [], requests: [] })
      }
    })
  })

  describe('with hosts that lead astray', () => {
    test.each(contacting)('%s contacts no other host', (_, { mode, profile }) => {
      for (const row of rowsOf(mode, profile)) {
        const strangers = contactedHosts(row).filter((host) => !namedHosts(profile, mode).includes(host))
        expect([row.course, strangers]).toEqual([row.course, []])
      }
    })

    // A chain whose only member was redirected has no other to try.
    test.each([
      ['a foreign token endpoint is refused where it is read', 'foreign-document', /^TOKEN_ENDPOINT_FOREIGN$/],
      ['no redirect is followed', 'redirects', /_REDIRECTED$|^CHAIN_EXHAUSTED$/],
    ])('%s', (_what, led, outcome) => {
      const found = rows.filter(({ course, mode }) => course === led && mode !== 'platformCli')
      expect(found.length).toBeGreaterThan(0)
      for (const { token } of found) expect(token).toMatch(outcome)
    })
  })

  test.each(subjects)('%s shows each secret to the one host it is for', (_, { mode, profile }) => {
    expect(rowsOf(mode, profile).flatMap((row) => straySecrets(row, profile, mode))).toEqual([])
  })

  test('a mode that gets its token elsewhere posts nothing to anybody', () => {
    const elsewhere = modes.filter(({ shown }) => shown.length === 0).map(({ label }) => label)
    expect(elsewhere).toEqual(expect.arrayContaining(['managedIdentity', 'platformCli']))
    const requests = rows.filter(({ mode }) => elsewhere.includes(mode)).flatMap((row) => row.requests)
    expect(requests.filter(({ method }) => method !== 'GET')).toEqual([])
  })

  test('each mode does show its secrets, so that a stray one would be seen', () => {
    for (const { label, shown } of modes) {
      const ofMode = rows.filter(({ mode }) => mode === label)
      const seen = ofMode.flatMap(({ requests }) => requests.flatMap(({ secrets }) => secrets))
      expect([label, seen]).toEqual([label, expect.arrayContaining([...shown, 'accessTokenSignature'])])
    }
  })
})

/** The hosts that a profile may lead to under a mode. A managed identity adds its endpoint, for the token only. */
function namedHosts({ hosts }: ProfileSubject, { identityHost }: ModeSubject): string[] {
  if (hosts === undefined) return []
  const identity = identityHost === undefined ? [] : [identityHost]
  return [hosts.authority, hosts.manager, ...hosts.services, ...identity].sort()
}

/** Every host of a lookup, a connection or a request, once, sorted. */
function contactedHosts({ contacts, requests }: EgressRow): string[] {
  return [...new Set([...contacts, ...requests.map(({ host }) => host)])].sort()
}

/** The secrets that went to a host which has no business with them, such as `password to management.azure.com`. */
function straySecrets({ requests }: EgressRow, profile: ProfileSubject, mode: ModeSubject): string[] {
  const isMeant = (secret: PlantedSecret, host: string) => {
    if (secret === 'accessTokenSignature') return host === profile.hosts?.manager
    if (secret === 'serviceTokenSignature') return profile.hosts?.services.includes(host) === true
    if (secret === 'identityHeader') return host === mode.identityHost
    return mode.shown.includes(secret) && host === profile.hosts?.authority
  }
  return requests.flatMap(({ host, secrets }) =>
    secrets.filter((secret) => !isMeant(secret, host)).map((secret) => `${secret} to ${host}`),
  )
}
