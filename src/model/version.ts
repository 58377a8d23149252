import type { Version } from "./platform.ts";

/** `v1.37.2`, `1.37`, `1.37.2-gke.100`. */
export function parseVersion(text: string): Version | undefined {
  const match = /^v?(\d{1,5})\.(\d{1,5})(?:\.(\d{1,5}))?(?:[-+].*)?$/.exec(text);
  return match === null
    ? undefined
    : { major: Number(match[1]), minor: Number(match[2]), patch: Number(match[3] ?? 0) };
}

export function atLeast(version: Version, major: number, minor: number): boolean {
  return version.major > major || (version.major === major && version.minor >= minor);
}

export function versionText(version: Version): string {
  return `${version.major}.${version.minor}.${version.patch}`;
}
