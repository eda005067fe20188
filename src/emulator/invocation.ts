import type {
  CoreInvocationContext,
  InvocationRequest,
  InvocationResponse,
  InvocationState,
  FunctionMetadata,
  WorkerLogLevel,
} from './core-types.ts'
import { StartError } from '../server/start-error.ts'
import type { IndexedFunction } from './function-index.ts'
import { addReadOnly } from './hook-context.ts'
import { logLine, runHooks } from './worker-app.ts'
import type { WorkerApp } from './worker-app.ts'

/** One invocation, as the library sees its worker. */
class Invocation implements CoreInvocationContext {
  readonly invocationId: string
  readonly request: InvocationRequest
  readonly metadata: FunctionMetadata
  readonly hookData: Record<string, unknown> = {}
  state: InvocationState | undefined
  invocationContext: unknown
  readonly #app: WorkerApp

  constructor(app: WorkerApp, metadata: FunctionMetadata, request: InvocationRequest) {
    this.#app = app
    this.invocationId = request.invocationId
    this.request = request
    this.metadata = metadata
  }

  log(level: WorkerLogLevel, category: string, message: string): void {
    logLine(this.#app, level, category, message, { name: this.metadata.name, callId: this.invocationId })
  }

  /** Adds the values that all hooks of an invocation share. */
  createHookContext<T extends object>(fields: T): T {
    const { hookData, invocationContext } = this
    return addReadOnly(fields, { hookData, appHookData: this.#app.appHookData, invocationContext })
  }
}

/**
 * Runs a function through the library's own invocation model, in the order of the Node worker: arguments, preInvocation
 * hooks (which may replace inputs and handler), handler, postInvocation hooks (which may replace result and error), response.
 *
 * @throws The error of the handler or of a hook.
 */
export async function invokeFunction(
  app: WorkerApp,
  { metadata, callback }: IndexedFunction,
  request: InvocationRequest,
): Promise<InvocationResponse> {
  const model = app.programmingModel
  if (model === undefined) throw new StartError('APP_LOAD_FAILED', 'The app set no programming model.')
  const invocation = new Invocation(app, metadata, request)
  const invocationModel = await model.getInvocationModel(invocation)
  const { context, inputs } = await invocationModel.getArguments()
  invocation.invocationContext = context

  const pre = { functionCallback: callback, inputs }
  if (app.hooks.preInvocation.length > 0) {
    invocation.state = 'preInvocationHooks'
    await runHooks(app, 'preInvocation', invocation.createHookContext(pre))
  }

  const post: { inputs: unknown[]; result: unknown; error: unknown } = { inputs: pre.inputs, result: null, error: null }
  invocation.state = 'invocation'
  try {
    post.result = await invocationModel.invokeFunction(context, pre.inputs, pre.functionCallback)
  } catch (error) {
    post.error = error
  }
  if (app.hooks.postInvocation.length > 0) {
    invocation.state = 'postInvocationHooks'
    await runHooks(app, 'postInvocation', invocation.createHookContext(post))
  }
  invocation.state = undefined

  if (post.error !== null && post.error !== undefined) throw post.error
  return invocationModel.getResponse(context, post.result)
}
