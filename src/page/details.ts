import { describeWarning } from '../lib/errors.ts'
import type { Check, DiagnosticsReport, SmokeTestResult, SmokeTestRun } from '../lib/diagnostics/report.ts'
import {
  appliedOverrides,
  describeSource,
  type ExplainedProfile,
  type Origin,
  placeholdersToReplace,
  placeholderVariables,
} from '../lib/profile/explained-profile.ts'
import { fieldPaths, isPlaceholder, overrideVariables } from '../lib/profile/field-path.ts'
import { distinctWarnings } from './checks.ts'
import { codeValue, commandLines, elapsedText, type Fact, factList, fold, icon, plainText } from './elements.ts'
import { shownText, tickingDistance, timeElement, utcText, verdictWords } from './elements.ts'
import { type Content, html, type Markup } from './html.ts'

/** The fields of the resolved profile, each with the source of its value and the overridden values. */
export function profileFold(profile: ExplainedProfile): Markup {
  const { selectedBy, source } = profile
  const fields = shownFields(profile)
  const overridden = appliedOverrides(profile).length
  const count = overridden > 0 && html`, ${overridden} ${overridden === 1 ? 'field' : 'fields'} set by a variable`
  const selection =
    selectedBy === 'default' ? 'default: no variable selects a profile' : html`<code>${selectedBy}</code>`
  const facts = fields.map(({ path, value, by, from, overridden: others }): Fact => {
    const note = isPlaceholder(value) && html` <span class="tag warn">placeholder</span>`
    const given = by !== 'profile' && html` <span class="from">${originText({ by, from }, source)}</span>`
    const lost = others?.map(
      (each) => html`<p class="from">overrides <s>${shownText(each.value)}</s> from ${originText(each, source)}</p>`,
    )
    return [codeValue(path), html`${codeValue(value)}${note}${given}${lost}`]
  })
  return fold(
    'profile',
    'Profile',
    `${fields.length} fields`,
    html`<p>From ${sourceText(source)}, selected by ${selection}${count}.</p>
      ${factList(facts)}`,
  )
}

/** The known fields, in the order of the schema. */
const shownFields = ({ fields }: ExplainedProfile) =>
  fieldPaths.flatMap((path) => {
    const field = fields[path]
    return field === undefined ? [] : [{ path, ...field }]
  })

/** The source of a profile, with its name or path in code style. */
function sourceText(source: ExplainedProfile['source']): Content {
  if (source.kind === 'option') return codeValue(describeSource(source))
  return html`${source.kind} ${codeValue(source.kind === 'file' ? source.path : source.name)}`
}

/** An origin, with the name of the variable in code style. */
function originText({ by, from }: Origin, source: ExplainedProfile['source']): Content {
  if (by === 'profile') return sourceText(source)
  const verb = { variable: '', derived: 'derived from ', dropped: 'dropped because of ' }[by]
  return html`${verb}${codeValue(from)}`
}

/**
 * The fields with a placeholder, each with the variable that replaces it. `undefined` if there are none.
 *
 * @param isCause Whether the root cause above says the same in words.
 */
export function placeholdersSection(profile: ExplainedProfile, isCause: boolean): Markup | undefined {
  const { source } = profile
  const placeholders = placeholdersToReplace(profile)
  if (placeholders.length === 0) return undefined
  const advice =
    source.kind === 'file'
      ? html`Replace them in ${codeValue(source.path)}.`
      : html`Set these variables, or write them all into a profile file and name it in
          <code>CUSTOM_CLOUD_PROFILE_PATH</code>.`
  // The lines to copy name the others.
  const listed = placeholders.filter(
    (path) => source.kind !== 'built-in' || !Object.values(overrideVariables).includes(path),
  )
  const note = source.kind === 'built-in' && html`<span class="none">profile file only</span>`
  return html`<section aria-labelledby="placeholders">
    <h2 id="placeholders">Fields to replace</h2>
    <p class="note">
      ${!isCause && 'Get the real values from the operator of the cloud.'}
      ${(source.kind === 'file' || !isCause) && advice}
      ${source.kind === 'built-in' && 'The other placeholders derive from these values.'}
    </p>
    ${listed.length > 0 && factList(listed.map((path) => [codeValue(path), note || '']))}
    ${source.kind === 'built-in' && commandLines(placeholderVariables(profile.profile, placeholders), 'variables')}
  </section>`
}

/** The identity of this workload and its last token attempt. */
export function identityFold({ identity, token, credential, cloud, audienceFrom }: DiagnosticsReport): Markup {
  return fold(
    'identity',
    'Identity and token',
    undefined,
    factList([
      ['Tenant id', identity.tenantId && html`${codeValue(identity.tenantId)}${tenantOrigin(identity)}`],
      ['Client id', codeValue(identity.clientId)],
      ['Object id', codeValue(identity.objectId)],
      ['Subscription id', codeValue(identity.subscriptionId)],
      ['Credential', codeValue(credential)],
      ['Scope', codeValue(token.scope)],
      ['Origin of the audience', audienceOrigin(audienceFrom)],
      ['Last attempt', html`${elapsedText(token.durationMs)}${token.cached && ', cached result'}`],
      ['Public instance discovery', cloud.disableInstanceDiscovery ? 'off: the authority is trusted without it' : 'on'],
    ]),
  )
}

/** Where the tenant comes from, because a sign-in may use another tenant than the profile. */
function tenantOrigin({ tenantId, tenantFrom, profileTenantId }: DiagnosticsReport['identity']): Content {
  if (tenantFrom === undefined || tenantFrom === 'profile') return undefined
  const differs = profileTenantId?.toLowerCase() !== tenantId?.toLowerCase()
  const other = profileTenantId !== undefined && differs && html`; the profile has ${codeValue(profileTenantId)}`
  return html` <span class="from">from ${codeValue(tenantFrom)}${other}</span>`
}

function audienceOrigin(from: string): Content {
  if (from === 'profile') return 'the profile'
  return from === 'discovered' ? 'the metadata of the cloud' : codeValue(from)
}

/** The last scheduled run. */
export function scheduleFold({ smokeTest, rootCause, checks }: DiagnosticsReport, now: Date): Markup {
  if (smokeTest === null) {
    const none = html`<p class="none">No run yet since this instance started.</p>`
    return fold('schedule', 'Last scheduled run', 'no run yet', none)
  }
  const { status, startedAt, durationMs, results } = smokeTest
  const scope = requestsToken(smokeTest) ? 'profiles and token' : 'profiles only, no token'
  const shown = new Set([rootCause?.message, ...checks.map(({ message }) => message)])
  return fold(
    'schedule',
    'Last scheduled run',
    html`${resultMark(status)} ${scope}, ${tickingDistance(startedAt, now, 'past')}`,
    html`<p>
        ${results.length} ${results.length === 1 ? 'profile' : 'profiles'}, ${scope}, at ${timeElement(startedAt)}; took
        ${elapsedText(durationMs)}.
      </p>
      ${factList(results.map((result) => [codeValue(result.profile), resultText(result, shown)]))}`,
  )
}

/** Whether the run requested a token and probed the active cloud. Otherwise it only checked profiles. */
const requestsToken = ({ results }: SmokeTestRun): boolean => results.some(({ hosts }) => hosts !== undefined)

const resultWords = { pass: 'passed', warn: 'passed, with warnings', fail: 'failed' } as const

const resultMark = (status: SmokeTestResult['status']): Markup =>
  html`<span class="result ${status}">${icon(status)}${resultWords[status]}</span>`

/** @param shown The messages that are listed above. Here, their code is enough. */
function resultText({ status, checks, warnings }: SmokeTestResult, shown: ReadonlySet<string | undefined>): Markup {
  const failed = checks.filter((check) => check.status === 'fail')
  const notes = failed.map(({ message }) => !shown.has(message) && html`<p>${shownText(message)}</p>`)
  const codes = new Set(failed.flatMap(({ code }) => code ?? []))
  const tags = Array.from(codes, (code) => html` <code class="tag">${code}</code>`)
  const count = warnings.length > 0 && html` ${warnings.length} ${warnings.length === 1 ? 'warning' : 'warnings'}`
  return html`${resultMark(status)}${tags}${count}${notes}`
}

/** The versions, trust store and proxy of this process. */
export function runtimeFold({ runtime }: DiagnosticsReport): Markup {
  const { certificates, added } = runtime.trustStore
  const statusOf = ({ status, reason }: (typeof added)[number]) =>
    reason === undefined ? status : `${status} (${reason})`
  const from = added.map((each) => html`, ${codeValue(each.variable)}: ${shownText(statusOf(each))}`)
  return fold(
    'runtime',
    'Runtime',
    html`Node ${shownText(runtime.node, 40)}`,
    factList([
      ['Node.js', codeValue(runtime.node)],
      ['OpenSSL', codeValue(runtime.openssl)],
      ['FIPS mode', runtime.fips ? 'on' : 'off'],
      ['Trusted authorities', html`${certificates}${from}`],
      ['Proxy', runtime.proxy ? 'yes' : 'no'],
    ]),
  )
}

/** The report as plain text for a ticket. */
export function supportFold(report: DiagnosticsReport, profile: ExplainedProfile): Markup {
  const text = supportText(report, profile)
  return fold(
    'support',
    'Support report',
    undefined,
    html`<p>It contains no secret or token. It does contain hosts and ids of this cloud.</p>
      <button type="button" data-copy="support-text">Copy the text</button>
      <textarea
        id="support-text"
        aria-label="Support report"
        readonly
        spellcheck="false"
        rows="${Math.min(text.split('\n').length + 1, 24)}"
      >
${text}</textarea>`,
  )
}

/**
 * Lists each fact once, one per line: first the failure, then the process and the cloud. Line breaks and hidden characters are escaped, so
 * that no value can forge a line.
 */
export function supportText(report: DiagnosticsReport, profile: ExplainedProfile): string {
  const { token, identity, runtime, smokeTest, rootCause, instance, cloud } = report
  const isTrouble = ({ id, status }: Check) =>
    (status === 'fail' || status === 'warn') && rootCause?.checks.includes(id) !== true
  const lineOf = ({ message, code, durationMs }: Check) =>
    `${message}${code === undefined ? '' : ` [${code}]`} (${elapsedText(durationMs)})`
  const added = runtime.trustStore.added.map(({ variable, status }) => `${variable} ${status}`)
  const scope = smokeTest && requestsToken(smokeTest) ? 'profiles and token' : 'profiles only'
  const countOf = (status: Check['status']) => report.checks.filter((check) => check.status === status).length
  const lines: [name: string, value: string | undefined][] = [
    ['verdict', verdictWords[report.status]],
    ['code', rootCause?.code],
    ['message', rootCause?.message],
    ['cause', rootCause?.cause],
    ['fix', rootCause?.fix],
    ['hosts', rootCause?.hosts?.join(', ')],
    ...Object.entries(rootCause?.evidence ?? {}).filter(([, value]) => rootCause?.hosts?.includes(value) !== true),
    ['checked', utcText(report.checkedAt)],
    ['version', report.version],
    ['host', instance.id === undefined ? instance.hostName : `${instance.hostName}, instance ${instance.id}`],
    ['started', utcText(instance.startedAt)],
    ['profile', `${cloud.name} (${describeSource(profile.source)})`],
    ['selected by', cloud.selectedBy],
    ['auth mode', `${report.authMode}, ${report.credential}`],
    ['auth mode from', report.authModeFrom],
    ['token', [token.status, token.error?.code, elapsedText(token.durationMs)].filter(Boolean).join(', ')],
    ['token message', token.error?.message === rootCause?.message ? undefined : token.error?.message],
    ['scope', token.scope],
    ['audience from', report.audienceFrom],
    ['instance discovery', cloud.disableInstanceDiscovery ? 'off' : 'on'],
    ...Object.entries(identity).map(([name, value]): [string, string] => [`identity ${name}`, value]),
    ...report.checks.filter(isTrouble).map((check): [string, string] => [`${check.status} ${check.id}`, lineOf(check)]),
    ...distinctWarnings(report).map((each): [string, string] => [`warning ${each.code}`, describeWarning(each)]),
    ['passed', `${countOf('pass')} checks`],
    ['skipped', `${countOf('skip')} checks`],
    // For the other fields, name and version of the built-in profile are enough.
    ...shownFields(profile)
      .filter(({ path, by }) => path in cloud || by !== 'profile')
      .map(({ path, value, by, from }): [string, string] => [path, by === 'profile' ? value : `${value} (${from})`]),
    ['last scheduled run', smokeTest ? `${smokeTest.status}, ${scope}, ${utcText(smokeTest.startedAt)}` : 'no run yet'],
    ['runtime', `Node.js ${runtime.node}, OpenSSL ${runtime.openssl}, FIPS ${runtime.fips ? 'on' : 'off'}`],
    ['trusted authorities', [runtime.trustStore.certificates, ...added].join(', ')],
    ['proxy', runtime.proxy ? 'yes' : 'no'],
  ]
  return lines
    .filter((line): line is [string, string] => line[1] !== undefined)
    .map(([name, value]) => `${plainText(name)}: ${plainText(value)}`)
    .join('\n')
}
