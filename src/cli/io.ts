/** What a command talks to: given by main.ts, so that tests can give their own. */
export interface Io {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly readStandardInput: () => Promise<string>;
  readonly colour: boolean;
  /** Milliseconds since 1970; else the clock of the machine. */
  readonly now?: () => number;
}

/** Nothing would be refused; something would; usage, catalogue or cluster file; internal fault. */
export const EXIT = { ok: 0, refused: 1, usage: 2, internal: 3 } as const;

/** A fault of usage or of an input file: its lines go to standard error, the exit status is 2. */
export class UsageFault extends Error {
  override readonly name = "UsageFault";
}
