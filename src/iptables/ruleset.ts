/** A chain of iptables with its rules in order. */
export interface Chain {
  /** Target of packets that leave a built-in chain, such as `ACCEPT`; `-`: left as it is, and the only value for chains of one's own. */
  readonly policy: string
  /** Rules as iptables-save prints them, without `-A CHAIN `; such as `-s 10.0.0.1/32 -j KUBE-MARK-MASQ`. */
  readonly rules: readonly string[]
}

/** The chains of one table by name, in the order in which they are declared. */
export type Table = ReadonlyMap<string, Chain>

/** Tables by name (`filter`, `nat`, …), in the order in which they are printed. */
export type Ruleset = ReadonlyMap<string, Table>
