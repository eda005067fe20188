import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dotnetExport } from '../../../src/lib/export/export-dotnet.ts'
import { goExport } from '../../../src/lib/export/export-go.ts'
import { pythonExport } from '../../../src/lib/export/export-python.ts'
import { typescriptExport } from '../../../src/lib/export/export-typescript.ts'
import { hasPython } from './has-python.ts'
import { enclave, government, hostile, stack, unvalidated } from './profiles.ts'

const run = promisify(execFile)
const nodeModules = fileURLToPath(new URL('../../../node_modules', import.meta.url))
const profiles = { government, enclave, stack, hostile, unvalidated }
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'export-'))
  symlinkSync(nodeModules, join(folder, 'node_modules'))
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

describe('typescript', () => {
  test('compiles strictly for every profile', async () => {
    const files = Object.entries(profiles).map(([name, profile]) => {
      writeFileSync(join(folder, `${name}.ts`), typescriptExport.render(profile))
      return `${name}.ts`
    })
    const options = {
      strict: true,
      noEmit: true,
      module: 'nodenext',
      target: 'es2023',
      types: ['node'],
      skipLibCheck: true,
    }
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files }))
    await expect(run(join(nodeModules, '.bin', 'tsc'), ['-p', folder])).resolves.toMatchObject({ stdout: '' })
  })

  test('has both settings of a private cloud', async () => {
    writeFileSync(join(folder, 'run.ts'), typescriptExport.render(stack))
    const { cloud, createCredential } = (await import(join(folder, 'run.ts'))) as {
      cloud: Record<string, unknown>
      createCredential: (env: Record<string, string>) => object
    }
    expect(cloud).toMatchObject({
      authorityHost: 'https://adfs.stack.test/',
      disableInstanceDiscovery: true,
      resourceManagerScope: `${stack.resourceManagerAudience}.default`,
    })
    expect(typescriptExport.render(stack)).toMatch(/\{ authorityHost: .*, disableInstanceDiscovery: .* \}/)
    expect(() => createCredential({})).toThrow('PLATFORM_CLIENT_ID is not set')
    expect(createCredential({ PLATFORM_CLIENT_ID: 'app', PLATFORM_CLIENT_SECRET: 'secret' })).toHaveProperty('getToken')
  })
})

describe('python', () => {
  test('compiles for every profile', async (context) => {
    if (!(await hasPython())) context.skip('python3 is not installed')
    const files = Object.entries(profiles).map(([name, profile]) => {
      const file = join(folder, `${name}.py`)
      writeFileSync(file, pythonExport.render(profile))
      return file
    })
    await expect(run('python3', ['-m', 'py_compile', ...files])).resolves.toMatchObject({ stderr: '' })
  })

  test('has both settings of a private cloud', () => {
    expect(pythonExport.render(enclave)).toMatch(
      /authority=AUTHORITY,\n\s+disable_instance_discovery=DISABLE_INSTANCE_DISCOVERY/,
    )
    expect(pythonExport.render(enclave)).toMatch(/^DISABLE_INSTANCE_DISCOVERY = True$/m)
    expect(pythonExport.render(government)).toMatch(/^DISABLE_INSTANCE_DISCOVERY = False$/m)
  })
})

describe('dotnet', () => {
  test('has both settings of a private cloud', () => {
    expect(dotnetExport.render(enclave)).toMatch(/AuthorityHost = new Uri\("https:\/\/login\.enclave\.test:8443\/"\);/)
    expect(dotnetExport.render(enclave)).toMatch(
      /AuthorityHost = AuthorityHost,\n\s+DisableInstanceDiscovery = DisableInstanceDiscovery,/,
    )
    expect(dotnetExport.render(enclave)).toMatch(/const bool DisableInstanceDiscovery = true;/)
  })
})

describe('go', () => {
  test('has both settings of a private cloud', () => {
    expect(goExport.render(enclave)).toMatch(/ActiveDirectoryAuthorityHost: "https:\/\/login\.enclave\.test:8443\/",/)
    expect(goExport.render(enclave)).toMatch(/DisableInstanceDiscovery:\s+DisableInstanceDiscovery,/)
    expect(goExport.render(enclave)).toMatch(/DisableInstanceDiscovery\s+= true$/m)
  })

  test('names the audience without the slash that its clients add', () => {
    expect(goExport.render(enclave)).toMatch(/Audience: "https:\/\/management\.core\.enclave\.test",/)
  })
})

describe.each([
  ['dotnet', dotnetExport],
  ['go', goExport],
])('%s', (_name, { render }) => {
  test('keeps every hostile text inside its literal', () => {
    const literal = /"(?:[^"\\\n]|\\.)*"/g
    const skeleton = (text: string) =>
      text.replaceAll(/^\/\/(?! [A-Z]\w+ (?:reads|configures)).*$/gm, '').replace(literal, '""')
    expect(skeleton(render(unvalidated))).toBe(skeleton(render(enclave)))
  })
})
