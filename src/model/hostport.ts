import { memo } from "./memo.ts";

/** A port that a pod takes on its node: its number where it is TCP at every address, else `8080/UDP` or `10.0.0.1:8080/TCP`. */
export type HostPort = number | string;

/** What every address is called. An address of IPv6 that means the same is one of its own to kube-scheduler. */
const EVERY = "0.0.0.0";

export function hostPort(port: number, protocol: string, address: string): HostPort {
  const at = address === "" || address === EVERY ? "" : `${address}:`;
  const over = protocol === "" ? "TCP" : protocol;
  return at === "" && over === "TCP" ? port : `${at}${port}/${over}`;
}

/** Can pods with these not stand on one node (HostPortInfo.CheckConflict): the same port and protocol, and one address or every one of them. */
export function clashes(a: HostPort, b: HostPort): boolean {
  if (typeof a === "number" && typeof b === "number") return a === b;
  const [one, other] = [partsOf(String(a)), partsOf(String(b))];
  return one.port === other.port && (one.address === other.address || one.address === EVERY || other.address === EVERY);
}

/** Does whoever takes the one take the other with it. */
export function covers(a: HostPort, b: HostPort): boolean {
  return a === b || (partsOf(String(a)).address === EVERY && clashes(a, b));
}

const partsOf = memo(256, (text: string): { readonly address: string; readonly port: string } => {
  const at = text.lastIndexOf(":");
  const port = text.slice(at + 1);
  return { address: at === -1 ? EVERY : text.slice(0, at), port: port.includes("/") ? port : `${port}/TCP` };
});
