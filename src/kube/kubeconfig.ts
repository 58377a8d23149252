// A module of its own, so that a bundle holds what this one export needs and loads it on use.
export { KubeConfig } from "@kubernetes/client-node";
