import { FAILSAFE_SCHEMA, type Schema, Type } from "js-yaml";
import type { CollectionTag, ScalarTag, Tags } from "yaml";

/**
 * Plain scalars as kubectl reads them (sigs.k8s.io/yaml over go-yaml v2), which is neither YAML 1.1 nor 1.2: `0644` is
 * octal and `yes` a boolean, but `2001-01-01` and `22:22` are text. A reader that differs would change what the user
 * wrote. Told twice, for the parser that is fast and for the one that knows places; a test holds them together.
 */
interface PlainScalar {
  readonly name: "null" | "bool" | "int" | "float";
  readonly test: RegExp;
  readonly value: (text: string) => null | boolean | number;
}

const SCALARS: readonly PlainScalar[] = [
  { name: "null", test: /^(?:~|null|Null|NULL)?$/, value: () => null },
  {
    name: "bool",
    test: /^(?:[yYnN]|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF|true|True|TRUE|false|False|FALSE)$/,
    value: (text) => /^(?:y|on|t)/i.test(text),
  },
  {
    name: "int",
    test: /^[-+]?(?:0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO]?[0-7_]+|0|[1-9][0-9_]*)$/,
    value: integer,
  },
  {
    name: "float",
    test: /^[-+]?(?:\.[0-9_]+|[0-9][0-9_]*(?:\.[0-9_]*)?)(?:[eE][-+]?[0-9]+)?$/,
    value: (text) => Number(text.replaceAll("_", "")),
  },
];

function integer(text: string): number {
  const digits = text.replace(/^[-+]/, "").replaceAll("_", "");
  const octal = /^0[oO]?([0-7]+)$/.exec(digits)?.[1];
  const value = octal === undefined ? Number(digits) : Number.parseInt(octal, 8);
  return text.startsWith("-") && value !== 0 ? -value : value;
}

const tagOf = (name: string) => `tag:yaml.org,2002:${name}`;

/** For the fast parser. It knows no tags, anchors or merges: text with those is the other's. */
export const KUBERNETES_SCHEMA: Schema = FAILSAFE_SCHEMA.extend({
  implicit: SCALARS.map(
    ({ name, test, value }) =>
      new Type(tagOf(name), {
        kind: "scalar",
        resolve: (text: string | null) => test.test(text ?? ""),
        construct: (text: string | null) => value(text ?? ""),
      }),
  ),
});

/** For the option `customTags` of the parser that knows places. Infinities stay numbers, for the reader to refuse. */
export function kubernetesTags(tags: Tags): Tags {
  const ours: ScalarTag[] = SCALARS.map(({ name, test, value }) => ({
    tag: tagOf(name),
    default: true,
    test,
    resolve: value,
  }));
  const replaced = new Set([...ours.map(({ tag }) => tag), tagOf("binary")]);
  const kept = tags.filter(
    (tag): tag is ScalarTag | CollectionTag =>
      typeof tag !== "string" && (!replaced.has(tag.tag) || ("test" in tag && tag.test?.test(".inf") === true)),
  );
  return [...kept, ...ours, binary];
}

/** As text: what it decodes to is what kubectl puts into JSON. */
const binary: ScalarTag = {
  tag: tagOf("binary"),
  resolve: (text) => Buffer.from(text, "base64").toString("utf8"),
};
