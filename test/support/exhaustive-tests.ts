/**
 * Tests that try every combination of fault and credential, ask the server with generated requests, prove every regular expression, build
 * programs and pages from random values, run a development command as a whole, or ask a second time by other means what a shorter test asks
 * too. They take minutes, so `npm run test:exhaustive` runs them apart from `npm test`. CI runs both.
 */
export const exhaustiveTests = [
  'test/architecture.test.ts',
  'test/browser/worker-processes.test.ts',
  'test/scripts/dev.test.ts',
  'test/scripts/func.test.ts',
  'test/scripts/funcignore.test.ts',
  'test/scripts/generate.test.ts',
  'test/cli/commands/local-settings.test.ts',
  'test/scripts/package.test.ts',
  'test/cli/from-sources.test.ts',
  'test/scripts/release/verify.property.test.ts',
  'test/azure-functions/build-beside.test.ts',
  'test/integration/contract.test.ts',
  'test/integration/fix-loop.test.ts',
  'test/integration/proxy-fix-loop.test.ts',
  'test/integration/serve-fix-loop.test.ts',
  'test/integration/start-fix-loop.test.ts',
  'test/integration/tool-orphans.test.ts',
  'test/integration/without-development-packages.test.ts',
  'test/lib/auth/fault-matrix.test.ts',
  'test/lib/export/programs.property.test.ts',
  'test/page/page.property.test.ts',
  'test/security/egress/egress-namespace.test.ts',
  'test/security/egress/egress.test.ts',
  'test/security/expressions.test.ts',
  'test/security/leak/bundle.test.ts',
  'test/security/leak/echo.test.ts',
  'test/security/leak/leak-matrix.test.ts',
]
