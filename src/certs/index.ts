export { type CertificateFacts, checkKeyPair, type IssueOptions, issueKeyPair, type KeyPair } from "./issue.ts";
export { caBundle, secretYaml } from "./secret.ts";
export {
  type CertificateFiles,
  type CertificateSource,
  certificatePaths,
  certificatesFromFiles,
  certificatesSelfIssued,
  LOCAL_HOSTS,
  renewalTime,
  writeKeyPair,
} from "./source.ts";
