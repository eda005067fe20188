/**
 * The part of `@azure/functions-core` that the `@azure/functions` library uses. The module exists only inside the Node worker
 * (https://github.com/Azure/azure-functions-nodejs-worker), so this file declares its types.
 */

/** Lowest first. A log hook sets `none` to drop a line. */
export type WorkerLogLevel = 'trace' | 'debug' | 'information' | 'warning' | 'error' | 'critical' | 'none'

export interface Binding {
  readonly type?: string
  readonly direction?: string
  readonly route?: unknown
  readonly methods?: unknown
  readonly authLevel?: unknown
  readonly schedule?: unknown
  readonly runOnStartup?: unknown
  readonly useMonitor?: unknown
}

export interface FunctionMetadata {
  readonly name: string
  readonly bindings: Readonly<Record<string, Binding>>
  readonly retryOptions?: unknown
}

export type FunctionCallback = (...args: readonly unknown[]) => unknown

/** A value that may be absent, as the worker's protocol writes it. */
export interface Nullable<T> {
  readonly value?: T
}

export interface RpcBody {
  readonly bytes?: Uint8Array
  readonly string?: string
}

export interface RpcHttpRequest {
  readonly method: string
  readonly url: string
  readonly nullableHeaders: Record<string, Nullable<string>>
  readonly nullableQuery: Record<string, Nullable<string>>
  readonly nullableParams: Record<string, Nullable<string>>
  readonly body?: RpcBody
}

export interface RpcHttpResponse {
  readonly statusCode?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly cookies?: readonly unknown[]
  readonly body?: RpcBody | null
}

export interface InvocationRequest {
  readonly invocationId: string
  readonly inputData: readonly { readonly name: string; readonly data: TriggerData }[]
  readonly traceContext?: { traceParent: string; traceState: string; attributes: Record<string, string> }
}

export type TriggerData = { readonly http: RpcHttpRequest } | { readonly json: string }

export interface InvocationResponse {
  readonly returnValue?: { readonly http?: RpcHttpResponse } | null
}

export type InvocationState = 'preInvocationHooks' | 'invocation' | 'postInvocationHooks'

export interface CoreInvocationContext {
  readonly invocationId: string
  readonly request: InvocationRequest
  readonly metadata: FunctionMetadata
  state?: InvocationState | undefined
  log(level: WorkerLogLevel, category: string, message: string): void
}

interface InvocationModel {
  getArguments(): Promise<{ context: unknown; inputs: unknown[] }>
  invokeFunction(context: unknown, inputs: unknown[], callback: FunctionCallback): Promise<unknown>
  getResponse(context: unknown, result: unknown): Promise<InvocationResponse>
}

export interface ProgrammingModel {
  readonly name: string
  readonly version: string
  getInvocationModel(context: CoreInvocationContext): InvocationModel | Promise<InvocationModel>
  getCapabilities?(capabilities: Record<string, string>): Promise<Record<string, string>> | Record<string, string>
}

export interface Disposable {
  dispose(): void
}

export type HookCallback = (context: object) => unknown

export interface CoreApi {
  readonly version: string
  readonly hostVersion: string
  registerFunction(metadata: FunctionMetadata, callback: FunctionCallback): Disposable
  registerHook(name: string, callback: HookCallback): Disposable
  setProgrammingModel(model: ProgrammingModel): void
  getProgrammingModel(): ProgrammingModel | undefined
  log(level: WorkerLogLevel, category: string, message: string): void
  readonly Disposable: new (callback: () => void) => Disposable
}
