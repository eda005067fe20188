import Module, { createRequire } from 'node:module'
import { join, sep } from 'node:path'

import type { CoreApi } from './core-types.ts'

/** A Node module as its `require` sees it. */
interface RequiringModule {
  readonly filename?: string | null
}

type Require = (this: RequiringModule, id: string) => unknown

/** An app directory, and the core API that its modules get. */
export interface CoreModuleOwner {
  readonly appDirectory: string
  readonly api: CoreApi
}

const coreModule = '@azure/functions-core'
const prototype = Module.prototype as unknown as { require: Require }
const owners: CoreModuleOwner[] = []
/** Files that earlier starts loaded: a library in node_modules keeps the core API of its first host. */
const loadedFiles = new Set<string>()
let loading: CoreModuleOwner | undefined
let original: Require | undefined

const requireWithCore: Require = function requireWithCore(id) {
  const owner = id === coreModule ? findOwner(this) : undefined
  return owner === undefined ? Reflect.apply(original ?? prototype.require, this, [id]) : owner.api
}

function findOwner(module: RequiringModule): CoreModuleOwner | undefined {
  const file = module.filename ?? ''
  return loading ?? owners.findLast(({ appDirectory }) => file.startsWith(appDirectory + sep)) ?? owners.at(-1)
}

/**
 * Makes `require('@azure/functions-core')` work, in the one place where the Node worker does (`Module.prototype.require`)
 * and for as long as an owner is open.
 */
export function openCoreModule(owner: CoreModuleOwner): void {
  if (original === undefined) {
    original = prototype.require
    prototype.require = requireWithCore
  }
  owners.push(owner)
}

export function closeCoreModule(owner: CoreModuleOwner): void {
  const index = owners.indexOf(owner)
  if (index !== -1) owners.splice(index, 1)
  // If another patch covers ours since, ours stays beneath theirs and only passes through.
  if (owners.length === 0 && original !== undefined && prototype.require === requireWithCore) {
    prototype.require = original
    original = undefined
  }
}

/** Whether a file is the app's own. A package beside it may be in use elsewhere in this process. */
function isOwnFile(file: string, appDirectory: string): boolean {
  return file.startsWith(appDirectory + sep) && !file.includes(`${sep}node_modules${sep}`)
}

/** Loads an entry point afresh, as a new worker process would. */
export function loadEntryPoint(owner: CoreModuleOwner, entryPoint: string): void {
  const require = createRequire(join(owner.appDirectory, 'package.json'))
  for (const file of Object.keys(require.cache)) {
    if (loadedFiles.has(file) || isOwnFile(file, owner.appDirectory)) delete require.cache[file]
  }
  const before = new Set(Object.keys(require.cache))
  loading = owner
  try {
    require(entryPoint)
  } finally {
    loading = undefined
    for (const file of Object.keys(require.cache)) if (!before.has(file)) loadedFiles.add(file)
  }
}
