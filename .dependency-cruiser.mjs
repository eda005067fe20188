/**
 * The imports that each folder may have, one row per folder. `npm run check` fails on a file without a row and on an import that its row
 * does not list; `test/architecture.test.ts` fails on a row that lists an import nobody makes. docs/architecture.md describes the folders.
 */

/** Folders and files, each with those that it may import. A folder may always import itself. */
const rooms = {
  'src/lib/base': [],
  'src/lib/findings': [],
  'src/lib/errors.ts': ['src/lib/base', 'src/lib/findings'],
  // Public functions of the library give their errors the fix of the catalog.
  'src/lib/fixes.ts': ['src/lib/findings', 'src/lib/settings/setting-table.ts', 'src/lib/errors.ts'],
  'src/lib/clouds': ['src/lib/base', 'cloud-profiles'],
  'src/lib/profile': ['src/lib/base', 'src/lib/clouds', 'src/lib/errors.ts', 'src/lib/findings'],
  'src/lib/settings': ['src/lib/base', 'src/lib/clouds', 'src/lib/errors.ts'],
  'src/lib/transport': ['src/lib/base', 'src/lib/clouds', 'src/lib/errors.ts'],
  'src/lib/auth': [
    'src/lib/base',
    'src/lib/clouds',
    'src/lib/settings',
    'src/lib/transport',
    'src/lib/profile',
    'src/lib/errors.ts',
    'src/lib/fixes.ts',
  ],
  'src/lib/metadata': ['src/lib/base', 'src/lib/transport', 'src/lib/profile', 'src/lib/clouds', 'src/lib/errors.ts'],
  'src/lib/diagnostics': [
    'src/lib/base',
    'src/lib/findings',
    'src/lib/auth',
    'src/lib/metadata',
    'src/lib/transport',
    'src/lib/settings',
    'src/lib/profile',
    'src/lib/clouds',
    'src/lib/errors.ts',
  ],
  'src/lib/service': [
    'src/lib/variables.ts',
    'src/lib/base',
    'src/lib/clouds',
    'src/lib/auth/credential-plan.ts',
    'src/lib/diagnostics',
    'src/lib/settings',
    'src/lib/profile',
    'src/lib/errors.ts',
  ],
  // Every variable, and the warnings about the profile and the variables.
  'src/lib/variables.ts': ['src/lib/base', 'src/lib/settings', 'src/lib/profile', 'src/lib/errors.ts'],
  // What applications call.
  'src/lib/cloud.ts': ['src/lib'],
  'src/lib/discovery.ts': ['src/lib'],
  'src/lib/index.ts': ['src/lib'],
  'src/page': [
    'src/lib/base',
    'src/lib/diagnostics/report.ts',
    'src/lib/findings',
    'src/lib/settings/settings.ts',
    'src/lib/profile',
    'src/lib/errors.ts',
  ],
  'src/functions': ['src/page', 'src/lib'],
  // Adapters of platforms: each serves an app, and knows no function.
  'src/azure-functions': ['src/lib/base/app.ts'],
  'src/main.ts': [
    'src/azure-functions',
    'src/functions',
    'src/lib/service',
    'src/lib/base/app.ts',
    'src/lib/profile',
    'src/lib/errors.ts',
  ],
  'src/server': ['src/lib/base'],
  'src/emulator': ['src/lib/base', 'src/server'],
  // A profile in the words of another tool.
  'src/tools/export': ['src/lib/base', 'src/lib/profile', 'src/lib/clouds'],
  // What the error of another program means.
  'src/tools/why': ['src/lib'],
  // A program that runs in the environment of a profile.
  'src/tools/run': ['packages/enclave/src', 'src/lib'],
  'packages/enclave/src': [],
  'src/cli': ['src/tools', 'src/server', 'packages/enclave/src', 'src/functions', 'src/lib'],
}

/** The packages that each folder may import. Modules of Node are free everywhere. */
const packages = {
  'src/lib/base': ['fastest-levenshtein'],
  'src/lib/clouds': ['zod'],
  'src/lib/profile': ['zod'],
  'src/lib/transport': ['@azure/core-rest-pipeline', 'debug'],
  'src/lib/auth': ['@azure/identity', '@azure/msal-node', '@azure/core-rest-pipeline', '@azure/logger'],
  'src/lib/diagnostics': ['@azure/core-rest-pipeline', 'zod'],
  'src/lib/service': ['prom-client', 'zod'],
  'src/azure-functions': ['@azure/functions'],
  'src/server': ['croner'],
  'packages/enclave/src': ['@peculiar/x509', 'jose', 'reflect-metadata'],
  'src/cli': ['fast-string-width', 'fast-wrap-ansi'],
}

const escape = (path) => path.replace(/[.]/g, '\\.')
const pathOf = (room) => (/\.[a-z]+$/.test(room) ? `^${escape(room)}$` : `^${escape(room)}/`)
const known = Object.keys(rooms).map(pathOf)
const packagePath = (name) => `(^|/)node_modules/${escape(name)}/`

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-cycle',
      comment: 'Cycles of types are errors too.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'room-unknown',
      comment: 'Add a row for this file or folder to .dependency-cruiser.mjs, with the imports that it may have.',
      severity: 'error',
      from: { path: '^(src|packages/[^/]+/src)/', pathNot: known },
      to: {},
    },
    {
      name: 'room-unknown-imported',
      severity: 'error',
      from: {},
      to: { path: '^(src|packages/[^/]+/src)/', pathNot: known },
    },
    {
      name: 'dev-package-at-run-time',
      comment:
        'The service and its checks must run without development packages: make the package a dependency, or import it dynamically.',
      severity: 'error',
      from: { path: '^(src|packages/[^/]+/src)/', pathNot: '^packages/enclave/src/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], dynamic: false },
    },
    {
      name: 'room-unknown-orphan',
      severity: 'error',
      from: { orphan: true, path: '^(src|packages/[^/]+/src)/', pathNot: known },
      to: {},
    },
  ],
  allowed: [
    ...Object.entries(rooms).map(([room, below]) => ({
      from: { path: pathOf(room) },
      to: { path: [room, ...below].map(pathOf) },
    })),
    ...Object.entries(packages).map(([room, names]) => ({
      from: { path: pathOf(room) },
      to: { path: names.map(packagePath) },
    })),
    // The type of a profile. A value would not resolve at run time.
    { from: { path: pathOf('packages/enclave/src') }, to: { path: '^cloud-profile-service$' } },
    { from: { path: '^(src|packages/[^/]+/src)/' }, to: { dependencyTypes: ['core'] } },
    { from: { pathNot: '^(src|packages/[^/]+/src)/' }, to: {} },
  ],
  allowedSeverity: 'error',
  options: {
    // TypeScript 7 has no interface for tools yet; swc reads the same sources, type-only imports included.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    skipAnalysisNotInRules: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
}
