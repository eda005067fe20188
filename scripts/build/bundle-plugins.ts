import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as esbuild from 'esbuild'
import { appDirectory } from '../../src/cli/app-directory.ts'
import { checkDocument, lineOf } from '../../src/lib/profile/parse-cloud-profile.ts'
import { problemsOfPart } from '../../src/lib/profile/profile-files.ts'

/** Puts the files that the page inlines into its chunk as minified text. Without a build, `page-files.ts` reads them at run time. */
export const pageFiles: esbuild.Plugin = {
  name: 'page-files',
  setup(build) {
    build.onLoad({ filter: /\/page-files\.ts$/ }, async ({ path }) => {
      const directory = dirname(path)
      const text = async (file: string, loader: 'css' | 'js') => {
        const { code } = await esbuild.transform(await readFile(join(directory, file), 'utf8'), {
          loader,
          minify: true,
        })
        return JSON.stringify(code)
      }
      return {
        contents: `export const pageStyle = ${await text('page.css', 'css')}; export const pageScript = ${await text('page.js', 'js')}`,
        watchFiles: ['page.css', 'page.js'].map((file) => join(directory, file)),
      }
    })
  },
}

/** Refuses an invalid cloud file. The bundle parses the files at run time, because V8 compiles objects of this size slower than it parses JSON. */
export const cloudFiles: esbuild.Plugin = {
  name: 'cloud-files',
  setup(build) {
    build.onLoad({ filter: /[\\/]cloud-profiles[\\/].*\.json$/ }, async ({ path }) => {
      const { $schema: _editor, ...cloud } = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>
      const problems = /[\\/]known[\\/]/.test(path) ? problemsOfPart(cloud) : (checkDocument(cloud).problems ?? [])
      if (problems.length > 0) return { errors: problems.map((problem) => ({ text: `${path}: ${lineOf(problem)}` })) }
      return {
        contents: `export default /* @__PURE__ */ JSON.parse(${JSON.stringify(JSON.stringify(cloud))})`,
        loader: 'js',
      }
    })
  },
}

/** Packages of the credential library that no credential of this service runs. They take a third of its load time. */
const unused: Readonly<Record<string, string>> = {
  // It shows a browser for interactive credentials.
  open: 'export default undefined',
  // The guarded client never uses these agents. They print the password of a proxy if DEBUG is set.
  'http-proxy-agent': 'export class HttpProxyAgent {}',
  'https-proxy-agent': 'export class HttpsProxyAgent {}',
  // proxy-connection.ts silences it for the proxy agents only.
  debug: 'export default {}',
  // client-certificate.ts signs the assertions.
  jsonwebtoken: 'export default {}',
}

/** Bundles the credential library without the packages that our credentials do not run. */
export const leanCredentialLibrary: esbuild.Plugin = {
  name: 'lean-credential-library',
  setup(build) {
    const namespace = 'unused'
    const filter = new RegExp(`^(${Object.keys(unused).join('|')})$`)
    build.onResolve({ filter }, ({ path }) => ({ path, namespace }))
    build.onLoad({ filter: /.*/, namespace }, ({ path }) => ({ contents: unused[path] ?? '' }))
  },
}

/** Bundles the functions library from its sources, so that the bundler can remove unused triggers: a third of the cold start. */
export const librarySource: esbuild.Plugin = {
  name: 'library-source',
  setup(build) {
    build.onResolve({ filter: /^@azure\/functions$/ }, () => ({ path: 'app', namespace: 'used-parts' }))
    // The whole `app` would keep every trigger and every kind of output.
    build.onLoad({ filter: /.*/, namespace: 'used-parts' }, () => ({
      contents: `import { http, timer } from '@azure/functions/src/app.ts'; export const app = { http, timer }`,
      resolveDir: appDirectory,
    }))
    // It provides resources of bindings that this service does not have.
    build.onResolve({ filter: /^@azure\/functions-extensions-base$/ }, ({ path }) => ({ path, namespace: 'left-out' }))
    build.onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({
      contents: `export class ResourceFactoryResolver { static getInstance() { throw new Error('Left out of this bundle') } }`,
    }))
    // Tools of language models, the proxy for streamed requests, and hashes for bindings without a name. The bundler cannot remove them.
    const unusedParts =
      /@azure[\\/]functions[\\/]src[\\/](converters[\\/]toMcp\w+|http[\\/]httpProxy|utils[\\/]getRandomHexString)\.ts$/
    build.onLoad({ filter: unusedParts }, async ({ path }) => {
      const names = (await readFile(path, 'utf8')).matchAll(/^export (?:async )?function (\w+)/gm)
      const stubs = [...names].map(
        ([, name]) => `export function ${name}() { throw new Error('Left out of this bundle') }`,
      )
      return { contents: stubs.join('\n'), loader: 'ts' }
    })
  },
}
