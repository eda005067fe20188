/**
 * The part of `@azure/functions-core` that the `@azure/functions` library uses. The module exists only inside the Node worker
 * (https://github.com/Azure/azure-functions-nodejs-worker), so this file declares its types.
 */

/** Lowest first. */
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

/** A map as the worker's protocol writes it. */
export type NullableMap = Record<string, { readonly value: string }>

export interface RpcHttpRequest {
  readonly method: string
  readonly url: string
  readonly nullableHeaders: NullableMap
  readonly nullableQuery: NullableMap
  readonly nullableParams: NullableMap
}

export interface RpcHttpResponse {
  readonly statusCode?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly cookies?: readonly unknown[]
  readonly body?: { readonly bytes?: Uint8Array; readonly string?: string } | null
}

export type TriggerData = { readonly http: RpcHttpRequest } | { readonly json: string }

export interface CoreInvocationContext {
  readonly invocationId: string
  readonly request: {
    readonly invocationId: string
    readonly inputData: readonly { readonly name: string; readonly data: TriggerData }[]
    readonly traceContext?: { traceParent: string; traceState: string; attributes: Record<string, string> }
  }
  readonly metadata: FunctionMetadata
  log(level: WorkerLogLevel, category: string, message: string): void
}

interface InvocationModel {
  getArguments(): Promise<{ context: unknown; inputs: unknown[] }>
  invokeFunction(context: unknown, inputs: unknown[], callback: FunctionCallback): Promise<unknown>
  getResponse(
    context: unknown,
    result: unknown,
  ): Promise<{ readonly returnValue?: { readonly http?: RpcHttpResponse } | null }>
}

export interface ProgrammingModel {
  readonly name: string
  readonly version: string
  getInvocationModel(context: CoreInvocationContext): InvocationModel | Promise<InvocationModel>
  getCapabilities?(capabilities: Record<string, string>): Promise<Record<string, string>> | Record<string, string>
}

interface Disposable {
  dispose(): void
}

export interface CoreApi {
  readonly version: string
  readonly hostVersion: string
  registerFunction(metadata: FunctionMetadata, callback: FunctionCallback): Disposable
  registerHook(name: string): Disposable
  setProgrammingModel(model: ProgrammingModel): void
  getProgrammingModel(): ProgrammingModel | undefined
  log(level: WorkerLogLevel, category: string, message: string): void
}
