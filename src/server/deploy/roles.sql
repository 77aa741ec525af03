-- The two roles of compose.yaml: `portal_owner` (POSTGRES_USER) owns the tables and migrates, `portal` serves. `portal migrate` gives `portal` its rights. Elsewhere create
-- both yourself, with passwords or client certificates of your own, and a database that the first one owns.
create role portal login password 'portal';
