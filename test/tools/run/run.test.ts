import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startForwardProxy } from '../../support/forward-proxy.ts'
import { useEnclave } from '../../support/use-enclave.ts'
import { useProcesses } from '../../support/processes.ts'
import { repository } from '../../support/project-copy.ts'
import { commandLine } from '../../support/start-command.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'

const { run } = useProcesses()
const temp = useTemporaryDirectory()
const cloud = useEnclave()
const TMPDIR = join(temp.write('tmp/README', ''), '..')
const node = process.execPath

/** Runs `cloud-profile run` with its folder in a directory of this test. */
const runIn = (options: readonly string[], command: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  run([commandLine, 'run', ...options, '--', ...command], {
    cwd: repository,
    // Node 22 calls its proxy agent experimental.
    env: { TMPDIR, NODE_NO_WARNINGS: '1', ...env },
  })

const clientSecret = { AUTH_MODE: 'clientSecret', PLATFORM_CLIENT_ID: 'app', PLATFORM_CLIENT_SECRET: 's3cret-value' }
const print = (expression: string) => [node, '-e', `console.log(${expression})`]
/** Sends requests through the proxy of the environment, and prints each status with the text. */
const fetchAll = (...urls: readonly string[]) => [
  node,
  '-e',
  `for (const url of ${JSON.stringify(urls)}) try { const r = await fetch(url, url.includes('/token') ? {method:'POST',body:'client_secret=x'} : {}); console.log(r.status, await r.text()) } catch (e) { console.log('failed', e.cause?.message ?? e.message) }`,
]
/** Sends requests without TLS to the proxy of the environment, and prints each status with the text. */
const getPlain = (...urls: readonly string[]) => [
  node,
  '-e',
  `const http=require('http');const p=new URL(process.env.HTTP_PROXY);(async()=>{for (const path of ${JSON.stringify(urls)}) await new Promise((done)=>http.get({host:p.hostname,port:p.port,path,agent:new http.Agent()},(r)=>{let t='';r.on('data',(c)=>t+=c).on('end',()=>{console.log(r.statusCode,t.trim());done()})}))})()`,
]
const leftovers = () => readdirSync(TMPDIR).filter((name) => name.startsWith('cloud-profile-'))
const hostsOf = (text: string) => (JSON.parse(text) as { hosts: Readonly<Record<string, unknown>>[] }).hosts

describe('cloud-profile run', () => {
  test.each([
    ['the exit code of the command', ['sh', '-c', 'exit 7'], 7],
    ['128 and the number of the signal that ended it', ['sh', '-c', 'kill -9 $$'], 137],
    ['127 for a command that does not exist', ['no-such-command'], 127],
    ['126 for a file that cannot run', ['/'], 126],
  ])('exits with %s', async (_, command, code) => {
    expect(await runIn([], command)).toMatchObject({ code })
    expect(leftovers()).toEqual([])
  })

  test.each([
    ['no command', [], {}],
    ['a command without --', ['true'], {}],
    ['an account that could change a host name', ['--storage', 'a.b', '--', 'true'], {}],
    ['a missing setting of the mode', ['--', 'true'], { AUTH_MODE: 'clientSecret' }],
    ['an allowed host with a path', ['--allow', 'a.test/b', '--', 'true'], {}],
    ['a placeholder authority', ['--cloud', 'platform-us-gov-secret', '--', 'true'], { PLATFORM_TENANT_ID: 'x.test' }],
    ['a report file that is a link', ['--report-file', '/proc/self/exe', '--', 'true'], {}],
    ['a report file that cannot be written', ['--report-file', '/none/report', '--', 'true'], {}],
  ])('exits with 2 for %s, before the command starts', async (_, args, env) => {
    const marker = join(temp.path, 'started')
    const words = args.flatMap((word) => (word === 'true' ? ['touch', marker] : word))
    const ended = await run([commandLine, 'run', ...words], { cwd: repository, env: { TMPDIR, ...env } })
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(existsSync(marker)).toBe(false)
    expect(leftovers()).toEqual([])
  })

  test('sets what SDKs and tools read, replaces another cloud, and keeps everything else', async () => {
    const stale = { AZURE_CLIENT_CERTIFICATE_PATH: '/another.pem', AZURE_ENVIRONMENT: 'AzureCloud', ALL_PROXY: '' }
    const others = { AZURE_AUTHORITY_HOST: 'https://another.test/', KEPT: 'yes', ...stale }
    const options = ['--cloud', 'platform-us-government', '--storage', 'data', '--vault', 'kv']
    const variables = { ...clientSecret, PLATFORM_TENANT_ID: 'contoso.test', ...others }
    const { stdout } = await runIn(options, print('JSON.stringify(process.env)'), variables)
    const env = JSON.parse(stdout) as Readonly<Record<string, string>>
    expect(env).toMatchObject({
      AZURE_AUTHORITY_HOST: 'https://login.microsoftonline.us',
      AZURE_TENANT_ID: 'contoso.test',
      AZURE_CLIENT_SECRET: 's3cret-value',
      AZURE_STORAGE_ENDPOINT: 'https://data.blob.core.usgovcloudapi.net',
      AZURE_KEYVAULT_URL: 'https://kv.vault.usgovcloudapi.net/',
      ARM_ENVIRONMENT: 'usgovernment',
      AZURE_RESOURCE_MANAGER_AUDIENCE: 'https://management.usgovcloudapi.net',
      PLATFORM_CLOUD: 'platform-us-government',
      no_proxy: '',
      KEPT: 'yes',
    })
    for (const name of Object.keys(stale)) expect(env).not.toHaveProperty(name)
    expect(new Set(['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'].map((name) => env[name])).size).toBe(1)
    expect(new URL(env['HTTPS_PROXY'] ?? '').hostname).toBe('127.0.0.1')
  })

  test('keeps a private folder with the trusted certificates while the command runs', async () => {
    const look = `const {statSync,readdirSync}=require('fs');const p=require('path').dirname(process.env.SSL_CERT_FILE);
      console.log(JSON.stringify([p,...readdirSync(p).map((f)=>p+'/'+f)].map((f)=>(statSync(f).mode&0o777).toString(8))))`
    const { stdout } = await runIn([], [node, '-e', look])
    expect(JSON.parse(stdout)).toEqual(['700', '600', '600'])
    expect(leftovers()).toEqual([])
  })

  test.skipIf(process.platform !== 'linux')('gives a secret to the command alone', async () => {
    const look = `const fs=require('fs');const parts=[];for(const id of fs.readdirSync('/proc').filter(Number)){try{
      const stat=fs.readFileSync('/proc/'+id+'/stat','utf8').split(') ')[1].split(' ');
      if(Number(id)!==process.pid&&[id,stat[1]].includes(String(process.ppid)))parts.push(...['cmdline','environ'].map((f)=>fs.readFileSync('/proc/'+id+'/'+f,'utf8')))}catch{}}
      const folder=require('path').dirname(process.env.SSL_CERT_FILE);parts.push(...fs.readdirSync(folder).map((f)=>fs.readFileSync(folder+'/'+f,'latin1')));
      console.log(process.env.AZURE_CLIENT_SECRET.length,parts.length,parts.join('').includes(process.env.AZURE_CLIENT_SECRET))`
    const { PLATFORM_CLIENT_SECRET, ...others } = clientSecret
    const { stdout, stderr } = await runIn(['--cloud', 'platform-us-government', '--report'], [node, '-e', look], {
      ...others,
      PLATFORM_TENANT_ID: 'contoso.test',
      PLATFORM_CLIENT_SECRET_PATH: temp.write('secret', PLATFORM_CLIENT_SECRET),
    })
    // This process, its sentinel and its watchdog with two files each, and two files of the folder.
    expect(stdout).toBe('12 8 false\n')
    expect(stderr).not.toContain(PLATFORM_CLIENT_SECRET)
  })

  test.skipIf(process.platform !== 'linux')('gives a program only the secrets of its plan', async () => {
    const others = { PLATFORM_HOST_KEY: 'k'.repeat(32), PLATFORM_PASSWORD_PATH: '/password' }
    const options = ['--cloud', 'platform-us-government']
    const program = print(
      'Object.keys(process.env).filter((name) => /^PLATFORM_.*(SECRET|KEY|PASSW)/.test(name)).join()',
    )
    const secretsWith = async (env: NodeJS.ProcessEnv) =>
      (await runIn(options, program, { ...clientSecret, ...others, ...env })).stdout
    expect(await secretsWith({ PLATFORM_TENANT_ID: 'contoso.test' })).toBe('PLATFORM_CLIENT_SECRET\n')
    expect(await secretsWith({ AUTH_MODE: 'managedIdentity' })).toBe('\n')
  })

  describe('with --enclave', () => {
    /** Acquires a token as the variables say, and calls the URL with it. */
    const ownClient = 'client_id:e.AZURE_CLIENT_ID,client_secret:e.AZURE_CLIENT_SECRET'
    const signIn = (scope: string, url = '', authority = 'process.env.AZURE_AUTHORITY_HOST', client = ownClient) => [
      node,
      '-e',
      `const e=process.env;const body=new URLSearchParams({grant_type:'client_credentials',${client},scope:'${scope}'});
      const r=await fetch(${authority}+'/'+e.AZURE_TENANT_ID+'/oauth2/v2.0/token',{method:'POST',body});const t=await r.json();
      console.log(r.status,t.error_description??JSON.parse(Buffer.from(t.access_token.split('.')[1],'base64url')).iss);
      if('${url}'){const a=await fetch('${url}',{headers:{authorization:'Bearer '+t.access_token,'x-ms-version':'2021-08-06'}});console.log(a.status)}`,
    ]
    const government = ['--cloud', 'platform-us-government', '--enclave', '--report', '--format', 'json']

    test('a program signs in to the named cloud and uses its storage, under their names', async () => {
      const url = 'https://data.blob.core.usgovcloudapi.net/uploads?restype=container'
      const program = signIn('https://storage.azure.com/.default', url)
      const { stdout, stderr, code } = await runIn([...government, '--strict', '--container', 'uploads'], program)
      expect(code).toBe(0)
      expect(stdout).toMatch(/^200 https:\/\/(?:sts\.windows\.net|login\.[^/]+)\/[\da-f-]{36}\/(?:v2\.0)?\n200\n$/)
      expect(hostsOf(stderr)).toMatchObject([
        { host: 'login.microsoftonline.us', cloud: 'platform-us-government', allowed: true },
        { host: 'data.blob.core.usgovcloudapi.net', allowed: true },
      ])
      expect(leftovers()).toEqual([])
    })

    test("a program with its own application signs in, and the operator's secret is not among its variables", async () => {
      const own = { AZURE_CLIENT_ID: '5f0c7dd4-2b0f-4a0e-9c4f-4d35c5a4d6f1', AZURE_CLIENT_SECRET: 'own-value' }
      const form = `client_id:'${own.AZURE_CLIENT_ID}',client_secret:['own','value'].join('-')`
      const [, , script = ''] = signIn('https://storage.azure.com/.default', '', undefined, form)
      const program = [node, '-e', `${script};console.log(Object.values(e).includes(['own','value'].join('-')))`]
      expect((await runIn(government, program, own)).stdout).toMatch(/^200 .*\nfalse\n$/)
    })

    test.each([
      [['--container', 'x'], [], '--container needs --enclave'],
      [['--lenient'], [], '--lenient needs --enclave'],
      [['--secret', 'planted', '--enclave'], ['planted'], '--secret number 1 must be NAME=VALUE'],
      [['--container', 'UP', '--enclave'], [], 'The container "UP" must have a name of 3 to 63'],
    ])('%j is refused before the program runs', async (options, secrets, words) => {
      const { code, stderr } = await runIn(options, ['true'])
      expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
      for (const secret of secrets) expect(stderr).not.toContain(secret)
    })

    test.each([
      ['the audience of another cloud', signIn('https://management.azure.com/.default'), /^400 AADSTS500011/],
      [
        'the authority of another cloud',
        signIn('x', '', `'https://login.microsoftonline.com'`),
        /^400 AADSTS900382.*\.us/,
      ],
      ['a host of nobody', getPlain('http://nobody.test/'), /^403 .*nobody\.test:80, which belongs to no known cloud/],
    ])('%s is refused by name', async (_, program, words) => {
      expect((await runIn(government, program)).stdout).toMatch(words)
    })

    const hosts = [
      ['management.azure.com', /^403 .*HostOfAnotherCloud.*Use management\.usgovcloudapi\.net in /, 'refused'],
      ['graph.microsoft.com', /^403 .*Use graph\.microsoft\.us in /, 'refused'],
      ['v.vault.azure.net', /^403 .*Use a host that ends with \.vault\.usgovcloudapi\.net in /, 'refused'],
      ['login-us.microsoftonline.com', /^403 .*ServiceRetired.*it is retired\. Use login\.micro/, 'refused'],
      ['x.servicebus.usgovcloudapi.net', /^501 .*ServiceNotSimulated.*does not simulate serviceBus"/, 'not-simulated'],
      ['data.blob.core.usgovcloudapi.net', /^401 /, 'answered'],
    ] as const
    const visits = fetchAll(...hosts.map(([host]) => `https://${host}/`))

    test('each host gets the response of its kind, which the report names, and a wrong or retired one fails --strict', async () => {
      const { code, stdout, stderr } = await runIn([...government, '--strict'], visits)
      expect([code, stdout.trim().split(/\n(?=\d{3} )/)]).toMatchObject([1, hosts.map(([, response]) => response)])
      expect(hostsOf(stderr)).toMatchObject(hosts.map(([host, , outcome]) => ({ host, outcome })))
    })

    test.each([
      [0, ['.azure.com', 'GRAPH.microsoft.com', 'v.vault.azure.net:443', 'login-us.microsoftonline.com']],
      [1, ['azure.com', 'graph.microsoft.com', '.azure.net']],
    ])('--strict exits with %i if --allow names %j', async (code, allowed) => {
      const options = ['--enclave', '--cloud', 'platform-us-government', '--strict']
      expect(await runIn([...options, ...allowed.flatMap((host) => ['--allow', host])], visits)).toMatchObject({ code })
    })
  })

  describe('answers instance discovery', () => {
    const asked = 'authorization_endpoint=https://login.microsoftonline.us/contoso.test/oauth2/v2.0/authorize'
    const path = `common/discovery/instance?api-version=1.1&${asked}`

    test('under each of its names, which is no contact', async () => {
      const origins = ['login.microsoftonline.com', 'login.microsoft.com:8443', 'login.windows.net', 'sts.windows.net']
      const program = fetchAll(...origins.map((origin) => `https://${origin}/${path}`))
      const { stdout, stderr, code } = await runIn(['--strict', '--report', '--format', 'json'], program)
      expect(code).toBe(0)
      const address = 'https://login.microsoftonline.us/contoso.test/v2.0/.well-known/openid-configuration'
      expect(stdout.split(address)).toHaveLength(origins.length + 1)
      expect(hostsOf(stderr)).toEqual([])
    })

    const others = [
      ['login.microsoftonline.com', 'platform-commercial'],
      ['eastus.login.microsoft.com', 'platform-commercial'],
      ['login.partner.microsoftonline.cn', 'platform-china'],
    ] as const
    test.each(others)('and refuses every other request to %s, with the name of the authority', async (host, owner) => {
      const url = `https://${host}/contoso.test/oauth2/v2.0/token`
      const { stdout, stderr, code } = await runIn(['--strict', '--format', 'json'], fetchAll(url))
      expect(code).toBe(1)
      expect(stdout).toMatch(/^400 .*"error":"invalid_request".*login\.microsoftonline\.us/)
      expect(hostsOf(stderr)).toMatchObject([{ host, port: 443, cloud: owner, allowed: false, count: 1 }])
    })
  })

  test('with a profile lists its hosts as allowed, and blocks every other', async () => {
    const { authorityHost, tenantId, profile } = cloud.cloud
    const urls = [`${authorityHost}${tenantId}/v2.0/.well-known/openid-configuration`, 'https://management.azure.com/']
    const report = join(temp.path, 'report.json')
    const text = join(temp.path, 'report.txt')
    const options = ['--profile', cloud.files.profilePath, '--block', '--report-file', report, '--report-file', text]
    const resourceManagerEndpoint = 'https://arm.partner.test/'
    const partner = { name: 'partner', displayName: 'Partner', resourceManagerEndpoint }
    const env = {
      NODE_EXTRA_CA_CERTS: cloud.files.authorityPath,
      PLATFORM_KNOWN_CLOUDS: join(temp.write('clouds/partner.json', partner), '..'),
    }
    const program = fetchAll(...urls, 'http://nobody.test/', resourceManagerEndpoint)
    const { stdout, stderr } = await runIn(options, program, env)
    const refused =
      /^Refused: management\.azure\.com:443 \(.*\nRefused: nobody\.test:80 \(no known cloud\)\nRefused: arm\.partner\.test:443 \(partner, resourceManager\).*\n$/
    expect([stdout, stderr]).toEqual([/^200 \{.*\}\s*(?:failed .*\n){3}$/, refused])
    expect(readFileSync(text, 'utf8')).toMatch(
      /^Host +Cloud .*\n.* answered .*\nmanagement\.azure\.com:443 .* refused /,
    )
    expect(hostsOf(readFileSync(report, 'utf8'))).toMatchObject([
      { host: new URL(authorityHost).hostname, outcome: 'answered', cloud: profile.name },
      { host: 'management.azure.com', port: 443, outcome: 'refused', cloud: 'platform-commercial' },
      { host: 'nobody.test', port: 80, outcome: 'refused', cloud: null },
      { host: 'arm.partner.test', port: 443, outcome: 'refused', cloud: 'partner' },
    ])
  })

  test('goes through the proxy of the operator, with its account', async () => {
    const proxy = await startForwardProxy({ ports: new Map() })
    const env = { HTTPS_PROXY: `http://user:pa55word@${proxy.host}` }
    const { stderr } = await runIn(['--format', 'json'], fetchAll('https://far.test/'), env)
    const authorization = `Basic ${Buffer.from('user:pa55word').toString('base64')}`
    expect(proxy.tunnels).toEqual([{ host: 'far.test:443', authorization }])
    expect(hostsOf(stderr)).toMatchObject([{ host: 'far.test', outcome: 'no-connection' }])
    proxy.close()
  })
})
