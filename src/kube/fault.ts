export interface FaultDetails {
  readonly status?: number;
  /** The reason of the API server's Status: `AlreadyExists`, `Conflict`, `Expired`. */
  readonly reason?: string;
  /** How long the server asks to be left alone. */
  readonly retryAfterMs?: number;
}

/** The API server could not be asked, or refused. The message is for a person; `status` is that of HTTP, where it answered at all. */
export class KubeFault extends Error {
  override readonly name = "KubeFault";
  readonly status: number | undefined;
  readonly reason: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, details: number | FaultDetails = {}) {
    super(message);
    const { status, reason, retryAfterMs } = typeof details === "number" ? { status: details } : details;
    this.status = status;
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The text of an error of any sort, on one line. */
export function reasonOf(fault: unknown): string {
  const text = fault instanceof Error ? fault.message : String(fault);
  return text.replaceAll(/\s+/g, " ").trim();
}

export function isStatus(fault: unknown, ...statuses: readonly number[]): fault is KubeFault {
  return fault instanceof KubeFault && fault.status !== undefined && statuses.includes(fault.status);
}
