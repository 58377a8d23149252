/** One finding of a compiled schema, as ajv reports it. */
export interface SchemaError {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Set where the finding is about a key, not a value. */
  readonly propertyName?: string;
}

export interface Validator {
  (data: unknown): boolean;
  /** Of the last call. */
  errors?: readonly SchemaError[] | null;
}

export const AcceleratorClass: Validator;
export const CapacityPool: Validator;
export const Intent: Validator;
export const Platform: Validator;
export const TopologyLayout: Validator;
export const WorkloadClass: Validator;
export const WorkloadKind: Validator;
