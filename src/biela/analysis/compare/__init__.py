"""The same motion by several methods: what each costs, and how far each is off."""
