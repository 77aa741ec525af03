-- Roles in compose.yaml: `portal_owner` (POSTGRES_USER) owns the tables and migrates them, `portal` is the servers' role. `portal migrate` grants `portal` its privileges.
-- In other deployments, create both roles with your own passwords or client certificates, and a database owned by the first role.
create role portal login password 'portal';
