import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { privateDocument } from '../../support/profile-document.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { trust } from '../../support/trust.ts'
import { startAnyCloud, type AnyCloud, type ReceivedRequest } from '../any-cloud.ts'
import { answerAs, planted } from '../egress/answers.ts'
import { prepareFiles } from '../egress/prepare.ts'
import { type SubjectFiles } from '../egress/subjects.ts'
import { echoes } from './echoes.ts'
import { createLeakDetector, findLeaks, type KnownSecret, type Leak } from './leak-detector.ts'
import { observeCredential, observeService } from './observe.ts'
import { collectWireSecrets } from './wire-secrets.ts'

export interface EchoCloud {
  readonly files: SubjectFiles
  /** `http://127.0.0.1:<port>/`, for an identity endpoint. */
  readonly plainOrigin: string
  /** Runs the service and the library once against it. */
  observe(options: EchoOptions): Promise<EchoOutcome>
}

export interface EchoOptions {
  readonly variables: NodeJS.ProcessEnv
  /** The requests that are answered with an echo of that name. All others are answered well. Default is none. */
  readonly echo?: { readonly name: string; readonly of: (request: ReceivedRequest) => boolean }
  /** Secrets besides those that are planted or sent. */
  readonly secrets?: readonly KnownSecret[]
}

export interface EchoOutcome {
  /** `acquired`, or the code of the failure. */
  readonly token: string
  /** How many requests were echoed. */
  readonly echoed: number
  readonly leaks: readonly Leak[]
}

/** A cloud for all tests of a file that sends back what it was sent. This process trusts it. */
export function useEchoCloud(): () => EchoCloud {
  const directory = useTemporaryDirectory()
  const wire = collectWireSecrets()
  let distrust: () => void
  let cloud: AnyCloud | undefined
  let echoing: EchoCloud | undefined
  beforeAll(async () => {
    const { ca, files } = await prepareFiles(directory.path)
    distrust = trust(ca.certificatePem)
    const any = await startAnyCloud(ca)
    cloud = any
    const profilePath = join(directory.path, 'echo.json')
    const origin = `https://localhost:${any.securePort}/`
    const here = { authorityHost: origin, resourceManagerEndpoint: origin, metadataEndpoint: undefined }
    writeFileSync(profilePath, JSON.stringify({ ...privateDocument('enclave.test'), ...here }))
    echoing = {
      files,
      plainOrigin: `http://127.0.0.1:${any.plainPort}/`,
      async observe({ variables, echo, secrets = [] }) {
        let echoed = 0
        any.answer = (request) => {
          const answer = echo?.of(request) === true ? echoes[echo.name]?.(request) : undefined
          if (answer !== undefined) echoed++
          return answer ?? answerAs(request, 'honest')
        }
        const env = {
          ...variables,
          CUSTOM_CLOUD_PROFILE_PATH: profilePath,
          PLATFORM_LOG_LEVEL: 'verbose',
          PLATFORM_TOKEN_TIMEOUT_MS: '120000',
        }
        const [service, credential] = await Promise.all([
          observeService(env, () => {}),
          observeCredential(env, () => {}),
        ])
        const known = Object.entries(planted).map(([name, value]) => ({ name, value }))
        const lowered = known.map(({ name, value }) => ({ name, value: value.toLowerCase() }))
        const outputs = [...service.outputs, ...credential.outputs].map((output) => ({
          title: service.token,
          ...output,
        }))
        const leaks = findLeaks(outputs, createLeakDetector([...known, ...lowered, ...secrets, ...wire.secrets]))
        return { token: service.token, echoed, leaks }
      },
    }
  })
  afterAll(async () => {
    wire.restore()
    distrust()
    await cloud?.close()
  })
  return () => {
    if (echoing === undefined) throw new Error('The cloud has not been started')
    return echoing
  }
}
