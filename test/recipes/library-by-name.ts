import { registerHooks } from 'node:module'

/** Lets a recipe import the library by its name, as its readers do, without a build. */
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'cloud-profile-service'
      ? next(new URL('../../src/lib/index.ts', import.meta.url).href, context)
      : next(specifier, context),
})
