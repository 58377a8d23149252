import { Command, CommanderError, Option } from "commander";
import { ConfigFault, type ServeFlags, VERSION } from "../config.ts";
import { FileFault } from "../files.ts";
import { EXIT, type Io, UsageFault } from "./io.ts";

/** Runs one command line. Each command's code loads on use, so that a start costs little. Returns the exit status. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  let status: number = EXIT.ok;
  const program = commands({ ...io, readStandardInput: once(io.readStandardInput) }, (code) => {
    status = code;
  });
  try {
    await program.parseAsync([...args], { from: "user" });
    return status;
  } catch (fault) {
    if (fault instanceof CommanderError) return fault.exitCode === 0 ? EXIT.ok : EXIT.usage;
    if (fault instanceof UsageFault || fault instanceof FileFault || fault instanceof ConfigFault) {
      io.err(`${fault.message}\n`);
      return EXIT.usage;
    }
    io.err(
      `plimsoll: internal fault, please report it: ${fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)}\n`,
    );
    return EXIT.internal;
  }
}

/** Standard input is gone once it was read: a second `-` is a mistake, not an empty file. */
function once(read: () => Promise<string>): () => Promise<string> {
  let wasRead = false;
  return () => {
    if (wasRead) throw new UsageFault("- stands for standard input, which can be read only once; name a file");
    wasRead = true;
    return read();
  };
}

/** Every command with its options. `exit` is told the status of the one that ran. */
export function commands(io: Io, exit: (status: number) => void): Command {
  const program = new Command("plimsoll")
    .description("Workload classes for Kubernetes accelerators, checked against the real topology.")
    .configureOutput({ writeOut: io.out, writeErr: io.err })
    .exitOverride()
    .showHelpAfterError("(add --help for the options and an example)")
    .version(VERSION)
    .enablePositionalOptions();

  const policies = () => new Option("--policies <dir>", "policy folder").default("policies");
  const platform = () => new Option("--platform <file>", "use this Platform instead of the folder's platform.yaml");
  const cluster = () =>
    new Option(
      "--cluster <file>",
      "cluster state: output of kubectl get ... -A -o yaml|json, or a folder; repeatable",
    ).argParser((file: string, files: readonly string[] | undefined) => [...(files ?? []), file]);
  const maxSteps = () => new Option("--max-steps <n>", "solver steps before a verdict is left undecided");
  const output = () => new Option("-o, --output <file>", "write results there instead of standard output");
  const format = (first: string, ...others: string[]) =>
    new Option("--format <format>", "how results are printed").choices([first, ...others]).default(first);
  const failOn = () =>
    new Option("--fail-on <severity>", "the mildest finding that fails").choices(["error", "warning"]).default("error");
  const files = "manifests: files, folders, or - for standard input";
  const command = (name: string, summary: string, example: string, parent: Command = program) => {
    const one = parent
      .command(name)
      .description(summary)
      .configureOutput({ writeOut: io.out, writeErr: io.err })
      .exitOverride();
    one.addHelpText("after", `\nExample:\n  ${example.replaceAll("\n", "\n  ")}\n`);
    return one;
  };

  command(
    "serve",
    "run the webhooks, and with --live the controller",
    "plimsoll serve --policies policies --cluster cluster.yaml --port 8443",
  )
    .addOption(policies())
    .addOption(platform())
    .addOption(cluster())
    .addOption(maxSteps())
    .option(
      "--live",
      "follow the cluster of the kubeconfig, or of the pod's service account, instead of --cluster files",
    )
    .option("--kubeconfig <file>", "follow the cluster of this file (implies --live)")
    .option("--context <name>", "its context (default: the current one)")
    .option(
      "--stale-after <seconds>",
      "verdicts are unknown once the watches are silent for longer (default 120, at least 90)",
    )
    .option("--no-controller", "with --live: leave companions, webhook configurations and events to other replicas")
    .option("--namespace <name>", "with --live: namespace of the lease and the Service (default plimsoll-system)")
    .option(
      "--identity <name>",
      "with --live: name of this replica in the lease (default: host name and a random part)",
    )
    .option(
      "--companion-grace <seconds>",
      "with --live: how long a claim or pod template stays that nothing names any more (default 600)",
    )
    .option("--host <address>", "address to listen on (default 0.0.0.0)")
    .option("--port <n>", "TLS port of /mutate and /validate (default 8443)")
    .option("--probe-port <n>", "plain port of /livez, /readyz and /metrics (default 8080)")
    .option("--tls-cert <file>", "serving certificate, reloaded when it changes")
    .option("--tls-key <file>", "its private key")
    .option("--tls-ca <file>", "the CA that clients trust")
    .option("--certs <dir>", "without --tls-cert: folder of a self-issued certificate for local use (default certs)")
    .option(
      "--drain <seconds>",
      "how long to go on answering after SIGTERM, and at most as long again while reviews still come (default 8)",
    )
    .option("--log-level <level>", "trace, debug, info, warn, error or silent (default info)")
    .action(async ({ policies: folder, ...options }: ServeFlags, self: Command) => {
      const { serveCommand } = await import("./commands/serve.ts");
      // The folder's default must not hide PLIMSOLL_POLICIES.
      const given = folder !== undefined && self.getOptionValueSource("policies") !== "default";
      exit(await serveCommand(given ? { ...options, policies: folder } : options, io));
    });

  command(
    "check",
    "validate manifests as the webhooks would",
    "plimsoll check k8s/ --cluster cluster.yaml --format json",
  )
    .argument("<file...>", files)
    .addOption(policies())
    .addOption(platform())
    .addOption(cluster())
    .addOption(maxSteps())
    .addOption(format("text", "json"))
    .addOption(failOn())
    .addOption(output())
    .action(async (names: string[], options) =>
      exit(await (await import("./commands/check.ts")).checkCommand(names, options, io)),
    );

  command(
    "expand",
    "print manifests as they would be admitted, companions first",
    "plimsoll expand job.yaml --cluster cluster.yaml | kubectl apply -f -",
  )
    .argument("<file...>", files)
    .addOption(policies())
    .addOption(platform())
    .addOption(cluster())
    .addOption(maxSteps())
    .option("--diff", "print what changes, line by line, instead of the manifests")
    .option("--no-companions", "leave out the objects that go with a workload")
    .addOption(output())
    .action(async (names: string[], options) =>
      exit(await (await import("./commands/expand.ts")).expandCommand(names, options, io)),
    );

  command(
    "explain",
    "the ladder, rung by rung, with reasons and the assignment",
    "plimsoll explain job.yaml --cluster cluster.yaml",
  )
    .argument("<file...>", files)
    .addOption(policies())
    .addOption(platform())
    .addOption(cluster().makeOptionMandatory())
    .addOption(maxSteps())
    .addOption(format("text", "json"))
    .addOption(output())
    .action(async (names: string[], options) =>
      exit(await (await import("./commands/explain.ts")).explainCommand(names, options, io)),
    );

  command("lint", "check policy files, line and column", "plimsoll lint policies/")
    .argument("[dir]", "policy folder", "policies")
    .addOption(platform())
    .addOption(format("text", "json"))
    .addOption(failOn())
    .addOption(output())
    .action(async (folder: string, options) =>
      exit(await (await import("./commands/lint.ts")).lintCommand(folder, options, io)),
    );

  command("rules", "the table of rules", "plimsoll rules --declaration interruption")
    .option("--declaration <name>", "only the rules that guard this declaration")
    .addOption(format("text", "json", "markdown"))
    .addOption(output())
    .action(async (options) => exit(await (await import("./commands/rules.ts")).rulesCommand(options, io)));

  command(
    "admit",
    "AdmissionReview on standard input, AdmissionReview on standard output",
    "plimsoll admit --cluster cluster.yaml < review.json",
  )
    .addOption(policies())
    .addOption(platform())
    .addOption(cluster())
    .addOption(maxSteps())
    .addOption(
      new Option("--webhook <name>", "which webhook answers").choices(["mutate", "validate"]).default("mutate"),
    )
    .addOption(output())
    .action(async (options) => exit(await (await import("./commands/admit.ts")).admitCommand(options, io)));

  command(
    "snapshot",
    "write the inventory of a live cluster, as --cluster reads it",
    "plimsoll snapshot --context staging -o cluster.yaml",
  )
    .option("--context <name>", "context of the kubeconfig (default: the current one)")
    .option("--kubeconfig <file>", "kubeconfig to use (default: KUBECONFIG, then ~/.kube/config, then the pod's own)")
    .addOption(output())
    .action(async (options) => exit(await (await import("./commands/snapshot.ts")).snapshotCommand(options, io)));

  const topology = command(
    "topology",
    "show the tree, or generate synthetic clusters",
    "plimsoll topology show --cluster cluster.yaml",
  );
  command(
    "show",
    "draw the levels with free and total, and what a workload would take",
    "plimsoll topology show --cluster cluster.yaml --for job.yaml",
    topology,
  )
    .addOption(policies())
    .addOption(platform())
    .addOption(cluster().makeOptionMandatory())
    .option("--resource <name>", "the resource to count", "nvidia.com/gpu")
    .option("--level <name>", "the innermost level to draw (default: the one above the host)")
    .option("--for <file>", "mark what the workloads of this file would take; - for standard input")
    .addOption(maxSteps())
    .addOption(output())
    .action(async (options) => exit(await (await import("./commands/topology.ts")).showCommand(options, io)));
  command(
    "generate",
    "print a synthetic cluster as Kubernetes objects",
    "plimsoll topology generate --shape p5.48xlarge --racks 4 --nodes-per-rack 16 --fill 0.7 --seed 7 > cluster.yaml",
    topology,
  )
    .option("--shape <name>", "instance type of the nodes", "p5.48xlarge")
    .option("--zones <n>", "zones", "1")
    .option("--blocks <n>", "blocks in each zone", "1")
    .option("--racks <n>", "racks in each block", "2")
    .option("--nodes-per-rack <n>", "nodes in each rack", "16")
    .option("--fill <ratio>", "share of the devices that is busy, 0 to 1", "0")
    .option("--seed <n>", "same seed, same cluster", "1")
    .addOption(
      new Option("--mechanism <name>", "how devices are offered")
        .choices(["device-plugin", "dra", "both"])
        .default("device-plugin"),
    )
    .addOption(
      new Option("--network <name>", "how network cards are offered, where the shape has known ones")
        .choices(["device-plugin", "dra"])
        .default("device-plugin"),
    )
    .addOption(
      new Option("--layout <name>", "label dialect of the levels")
        .choices(["eks", "gke", "topograph", "plain"])
        .default("eks"),
    )
    .addOption(format("yaml", "json"))
    .addOption(output())
    .action(async (options) => exit(await (await import("./commands/topology.ts")).generateCommand(options, io)));

  const certs = command("certs", "certificates for the webhooks", "plimsoll certs issue");
  command(
    "issue",
    "issue a CA and a serving certificate signed by it",
    "plimsoll certs issue --secret > secret.yaml",
    certs,
  )
    .option("--dir <dir>", "folder to write tls.crt, tls.key and ca.crt to", "certs")
    .option(
      "--host <name...>",
      "names and addresses the server is reached under (default: local ones; with --secret, the Service's)",
    )
    .option("--days <n>", "life of the serving certificate", "90")
    .option("--secret", "print a Secret to standard output, its caBundle to standard error, and write no file")
    .option("--name <name>", "name of the Secret", "plimsoll-tls")
    .option("--namespace <name>", "namespace of the Secret and the Service", "plimsoll-system")
    .action(async (options) => exit(await (await import("./commands/certs.ts")).issueCommand(options, io)));

  command("schema", "print the JSON Schemas of policy files", "plimsoll schema WorkloadClass")
    .argument("[kind]", "print this one; without it, the kinds are listed")
    .addOption(output())
    .action(async (kind: string | undefined, options) =>
      exit(await (await import("./commands/schema.ts")).schemaCommand(kind, options, io)),
    );
  return program;
}
