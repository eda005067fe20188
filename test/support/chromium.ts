import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Browser } from 'playwright-core'
import { loadPackage } from './some-packages.ts'

const modules = fileURLToPath(new URL('../../node_modules/', import.meta.url))
const packed = fileURLToPath(new URL('../packages/node_modules/@sparticuz/chromium', import.meta.url))

/** A name for loopback that the browser does not take for a secure context, as a plain http host of an enclave. */
export const plainHost = 'service.test'

const quiet = [
  // Without these a headless Chromium looks for updates and for its maker's hosts.
  ...['background-networking', 'component-update', 'sync', 'quic', 'gpu'].map((name) => `--disable-${name}`),
  '--no-first-run',
  '--no-proxy-server',
  `--host-resolver-rules=MAP ${plainHost} 127.0.0.1`,
]
// The sandbox refuses to run as root.
const args = process.getuid?.() === 0 ? [...quiet, '--no-sandbox'] : quiet

/** Starts a real Chromium: CHROMIUM_PATH, or the one in the npm package, which runs only on x64 Linux. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM_PATH'] ?? (await unpackChromium())
  const env = fontEnv(executablePath)
  try {
    return await chromium.launch({ executablePath, args, env })
  } catch (error) {
    const libraries = join(executablePath, '../al2023/lib')
    if (!String(error).includes('shared libraries') || !existsSync(libraries)) throw error
    // The package contains the few libraries that a bare machine doesn't have.
    return await chromium.launch({ executablePath, args, env: { ...env, LD_LIBRARY_PATH: libraries } })
  }
}

/** A machine without a font configuration gets the package's font; without any, text would have no size. */
function fontEnv(executablePath: string): NodeJS.ProcessEnv {
  const configuration = join(executablePath, '../fonts.conf')
  const needed = !existsSync('/etc/fonts/fonts.conf') && existsSync(configuration)
  return needed ? { ...process.env, FONTCONFIG_FILE: configuration } : process.env
}

/** Unpacks Chromium next to the installed packages, once per version. Test files may do this at the same time. */
async function unpackChromium(): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`@sparticuz/chromium does not run on ${process.platform} ${process.arch}`)
  }
  const { version } = JSON.parse(await readFile(join(packed, 'package.json'), 'utf8')) as { version: string }
  const cache = join(modules, '.cache')
  const home = join(cache, `chromium-${version}`)
  if (!existsSync(home)) {
    await mkdir(cache, { recursive: true })
    const staging = await mkdtemp(join(cache, 'unpacking-'))
    await unpackInto(staging)
    await writeFile(join(staging, 'fonts.conf'), `<fontconfig><dir>${home}/fonts</dir></fontconfig>`)
    // Whoever is first wins; a folder that has files in it is never replaced.
    await rename(staging, home).catch(() => rm(staging, { recursive: true }))
  }
  return join(home, 'chromium')
}

/** The package unpacks into the folder for temporary files and offers no other. */
async function unpackInto(folder: string): Promise<void> {
  const { inflate } = await loadPackage<{ inflate: (path: string) => Promise<string> }>('@sparticuz/chromium')
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = folder
  try {
    await Promise.all(
      ['chromium.br', 'fonts.tar.br', 'al2023.tar.br'].map((name) => inflate(join(packed, 'bin', name))),
    )
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
}
