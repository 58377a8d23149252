/** Codes of what the command line itself says about manifests; all others come from the folders that find things. */
export const CLI_CODES = {
  UnreadableManifest: "a document is not valid YAML or JSON, or cannot be carried by JSON",
  NotAnObject: "a document has no apiVersion and kind",
  UnknownAnnotation: "an annotation of ours does not exist",
  Unclassed: "a workload asks for a device and names no class",
  Verdict: "what the cluster answers to a workload",
} as const;

export type CliCode = keyof typeof CLI_CODES;
