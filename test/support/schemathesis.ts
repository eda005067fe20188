import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { skipped } from './missing.ts'

const installer = readFileSync(new URL('../../.ci/schemathesis', import.meta.url), 'utf8')
const version = /^version=(\S+)$/m.exec(installer)?.[1] ?? ''
const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')

/** The command that `.ci/schemathesis` installs. */
export const schemathesis = join(cache, `cloud-profile-service/schemathesis-${version}/bin/schemathesis`)

export const withoutSchemathesis = skipped(
  !existsSync(schemathesis) && 'schemathesis is not installed (.ci/schemathesis)',
)
