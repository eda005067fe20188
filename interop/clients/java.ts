import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { type Client, type Installation, type Mode, programs, secretOf } from '../client.ts'

/** Copies the libraries into a folder of the cache. */
const installJars = async (folder: string, { cache, run }: Installation, identity: string): Promise<void> => {
  const repository = `-Dmaven.repo.local=${join(cache, 'java/repository')}`
  const target = `-DoutputDirectory=${join(cache, folder, 'jars')}`
  const pom = ['--file', join(programs, 'java/pom.xml'), `-Didentity.version=${identity}`]
  await run('mvn', ['--batch-mode', '--quiet', ...pom, repository, 'dependency:copy-dependencies', target])
}

const mode = (folder: string): Mode => ({
  name: 'secret',
  authority: 'tenants',
  set: 'the class of `export java`; PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET; a trust store with the root',
  run: async ({ enclave, files, home, cache, exportTo, run }) => {
    const source = await exportTo('Cloud.java', 'java')
    await cp(join(programs, 'java/ListSubscriptions.java'), join(home, 'ListSubscriptions.java'))
    const store = join(home, 'trust.p12')
    const password = ['-storepass', 'changeit', '-storetype', 'PKCS12']
    const root = ['-noprompt', '-file', files.authorityPath]
    await run('keytool', ['-importcert', ...root, '-keystore', store, ...password])
    const classes = `${home}:${join(cache, folder, 'jars')}/*`
    await run('javac', ['-cp', classes, '-d', home, source, join(home, 'ListSubscriptions.java')])
    const trust = [`-Djavax.net.ssl.trustStore=${store}`, '-Djavax.net.ssl.trustStorePassword=changeit']
    await run('java', [...trust, '-cp', classes, 'ListSubscriptions'], { env: secretOf(enclave) })
  },
})

export const java: Client = {
  name: 'azure-identity and azure-resourcemanager-resources for Java',
  version: '1.19.0',
  exports: ['java'],
  inCi: false,
  traps: [
    'Import the root into a trust store (`keytool -importcert`): no variable names a PEM file.',
    '`managementEndpointUrl` of the environment is the audience, not the endpoint: the clients append `/.default` to it.',
    'The default HTTP client requires native parts of Netty for every system; `azure-core-http-jdk-httpclient` needs none.',
  ],
  install: (installation) => installJars('java', installation, '1.19.0'),
  modes: [mode('java')],
}

export const oldestJava: Client = {
  name: 'azure-identity for Java (oldest)',
  version: '1.9.0',
  exports: ['java'],
  inCi: false,
  traps: ['Older releases cannot disable instance discovery, and contact the public cloud: the class refuses them.'],
  install: (installation) => installJars('java-oldest', installation, '1.9.0'),
  modes: [mode('java-oldest')],
}
