(** * What counts as a result

    A statement file writes each of its results as [Definition Name : result := …], after a comment that says it in
    words. The proof file beside it ends with a theorem of the same name in lower case, and [make prove] checks that
    this theorem proves exactly that statement. *)
Definition result := Prop.
